import type { Plugin } from 'vite'

const STYLES = /\s*<link rel="stylesheet"[^>]* href="\/assets\/[^>]*>/g

/**
 * Moves the app's styles from the head to the end of the body. Browsers then render the page frame above them while the
 * styles load. The app module after them still waits for the styles.
 */
export function stylesAfterFrame(): Plugin {
  return {
    name: 'styles-after-frame',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html) {
        const styles = html.match(STYLES) ?? []
        if (styles.length === 0) throw new Error('the page has no stylesheet to move')
        return html.replace(STYLES, '').replace('</body>', `${styles.map((one) => one.trim()).join('\n')}\n</body>`)
      },
    },
  }
}
