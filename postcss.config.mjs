/** The faces that layouts preload: these appear with the first paint or not at all, since a late one would move what is read. */
const PRELOADED = /-latin-wght-normal\.woff2/

const showPreloadedFontsAtOnceOnly = {
  postcssPlugin: 'show-preloaded-fonts-at-once-only',
  // After Tailwind, which inlines the imports.
  OnceExit(sheet) {
    sheet.walkAtRules('font-face', (face) => {
      if (!PRELOADED.test(face.toString())) return
      face.walkDecls('font-display', (display) => {
        display.value = 'optional'
      })
    })
  },
}

export default { plugins: ['@tailwindcss/postcss', showPreloadedFontsAtOnceOnly] }
