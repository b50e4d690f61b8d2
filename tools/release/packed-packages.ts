/** What this needs of package-lock.json, version 3. */
export interface Lock {
  packages: Record<string, LockedPackage>
}

interface LockedPackage {
  version?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

/** Next compiles with it; an archive has the pages compiled. */
const ONLY_BUILDS = /(^|\/)@next\/swc-/

/**
 * Where the packages that a program needs are installed (`node_modules/fastify`), given those that its files import: with everything these
 * depend on, found from each as Node finds it. An optional dependency of another platform is in the lock, but not installed.
 */
export function packedPackages(
  lock: Lock,
  imported: Iterable<string>,
  isInstalled: (path: string) => boolean,
): string[] {
  const packed = new Set<string>()
  const pending = [...imported].map((name) => ({ name, from: '', isOptional: false }))
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const path = placeOf(lock, next.name, next.from)
    if (path === undefined || !isInstalled(path)) {
      if (next.isOptional) continue
      throw new Error(`${next.name} is not installed, and ${next.from || 'the program'} needs it`)
    }
    if (packed.has(path) || ONLY_BUILDS.test(path)) continue
    packed.add(path)
    pending.push(...neededBy(lock.packages[path] ?? {}).map((needed) => ({ ...needed, from: path })))
  }
  return [...packed].sort()
}

/** Node looks beside the package, then in the folders above it. */
function placeOf({ packages }: Lock, name: string, from: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
    if (path in packages) return path
    if (folder === '') return undefined
  }
}

function neededBy({ dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta }: LockedPackage) {
  const optional = Object.keys(optionalDependencies ?? {})
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => peerDependenciesMeta?.[name]?.optional !== true)
  return [
    ...[...Object.keys(dependencies ?? {}), ...peers].map((name) => ({ name, isOptional: false })),
    ...optional.map((name) => ({ name, isOptional: true })),
  ]
}

/** The packages that a file of TypeScript or JavaScript imports by value. */
export function importedPackages(source: string): string[] {
  const specifiers = source.matchAll(
    /^(?:import|export)(?! type\b)[^'"`;]*?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm,
  )
  return [...specifiers].flatMap(([, fixed, lazy]) => {
    const name = /^(?![.#/]|node:)((?:@[^/]+\/)?[^/]+)/.exec(fixed ?? lazy ?? '')?.[1]
    return name === undefined ? [] : [name]
  })
}
