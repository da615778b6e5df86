import type { Plugin } from 'vite'

const STYLES = /\s*<link rel="stylesheet"[^>]* href="\/assets\/[^>]*>/g

/**
 * Moves the app's styles from the head to the end of the body: browsers draw what stands before them, the frame of the page, while they
 * are on their way. The app itself, a module after them, still waits for them.
 */
export function stylesAfterFrame(): Plugin {
  return {
    name: 'styles-after-frame',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html) {
        const styles = html.match(STYLES) ?? []
        if (styles.length === 0) throw new Error('the page has no styles to move')
        return html.replace(STYLES, '').replace('</body>', `${styles.map((one) => one.trim()).join('\n')}\n</body>`)
      },
    },
  }
}
