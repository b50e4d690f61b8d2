import { existsSync, readFileSync } from 'node:fs'

/** By path below next/dist: what the desk needs less of than Next has. */
const REPLACED = {
  // Browsers that Next supports have all of it but `URL.canParse`, which the desk doesn't use.
  'build/polyfills/polyfill-module.js': '',
  'build/polyfills/process.js': 'module.exports = { env: {} }',
  // The desk changes things by tRPC, and its links are strings.
  'client/components/router-reducer/reducers/server-action-reducer.js':
    "export function serverActionReducer() { throw new Error('There are no server actions here') }",
  'shared/lib/router/utils/format-url.js': `
    export function formatUrl() { throw new Error('The address of a link must be a string') }
    export { formatUrl as formatWithValidation }
    export const urlObjectKeys = []`,
  // Shown only if app/global-error.tsx fails as well.
  'client/components/builtin/global-error.js': `
    import { jsx } from 'react/jsx-runtime'
    export default function DefaultGlobalError() {
      return jsx('html', { children: jsx('body', { children: 'This page couldn’t load. Reload to try again.' }) })
    }`,
}

/**
 * A loader that reads a file of Next's client from its ES modules, which the package has beside the CommonJS ones. Of those, the build
 * merges modules, shortens the names of exports and leaves out what nothing imports. Turbopack keeps what this returns: after a change here,
 * remove .next/cache.
 */
export default function nextAsModules(source) {
  const [root, path] = this.resourcePath.split('/next/dist/')
  if (path in REPLACED) return REPLACED[path]
  const asModule = `${root}/next/dist/esm/${path}`
  return existsSync(asModule) ? readFileSync(asModule, 'utf8') : source
}
