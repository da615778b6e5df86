/** 16 px: the text size of browsers, unless the user chooses another one. */
const USUAL_PX = 16

/** Returns a length of the chart's texts at the text size that the user chose. A canvas knows no rem. */
export function textPx(px: number): number {
  const chosen = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  return Number.isFinite(chosen) ? (px * chosen) / USUAL_PX : px
}
