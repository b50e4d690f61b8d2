import type { FastifyInstance } from 'fastify'

/** What stands for every path says nothing about one. */
const CATCH_ALL = ['/api/*', '/*', '*']

/** Which methods a path takes, out of the routes added after this; none where no route knows it. */
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
