/**
 * Runs before every page. Zod would try whether it may compile its parsers with `new Function`: the pages' policy forbids that, and browsers report each attempt. It
 * reads its settings from here whenever it is loaded.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
