import type { FastifyInstance } from 'fastify'

/** A handler for every path says nothing about a single one. */
const CATCH_ALL = ['/api/*', '/*', '*']

/** The methods a path accepts, from the routes registered after this; none if no route matches. */
export function collectMethods(app: FastifyInstance): (path: string) => string[] {
  const methodsOf = new Map<string, { pattern: RegExp; methods: Set<string> }>()
  app.addHook('onRoute', ({ url, method }) => {
    if (CATCH_ALL.includes(url)) return
    const route = methodsOf.get(url) ?? { pattern: patternOf(url), methods: new Set() }
    for (const one of [method].flat()) route.methods.add(one)
    methodsOf.set(url, route)
  })
  return (path) => {
    const fitting = [...methodsOf.values()].filter(({ pattern }) => pattern.test(path))
    return [...new Set(fitting.flatMap(({ methods }) => [...methods]))].sort()
  }
}

function patternOf(url: string): RegExp {
  const source = url
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/:\w+/g, '[^/]+')
    .replace('*', '.*')
  return new RegExp(`^${source}$`)
}
