import { FEATURES, FLOORS, QUEUE_ROOMS, WINGS } from './tools/floors.ts'
import { PURE_FILES } from './tools/pure-files.ts'

/** What a page may load by value; what these are made of in turn is PURE_FILES. */
const FOR_PAGES = String.raw`^server/.*/(schema|calendar|periods|find-links)\.ts$`

/** A module's own rows and SQL; everything else of it may be read by its neighbours. */
const PRIVATE = String.raw`(^|/|-)rows\.ts$|(^|/)tables\.ts$|\.sql\.ts$`

const FRAMEWORKS = 'node_modules/(fastify|@fastify|fastify-type-provider-zod|next|react|react-dom|@trpc)/'

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...WINGS.slice(0, -1).map((wing, floor) => ({
      name: `${wing}-imports-downwards`,
      severity: 'error',
      comment: `Floors of the domain: ${WINGS.join(' ← ')}`,
      from: { path: `^server/modules/${wing}/` },
      to: { path: `^server/modules/(${WINGS.slice(floor + 1).join('|')})/` },
    })),
    {
      name: 'every-module-stands-in-a-wing',
      severity: 'error',
      from: {},
      to: { path: `^server/modules/(?!(?:${WINGS.join('|')})/)` },
    },
    ...FLOORS.slice(0, -1).map((floor, index) => ({
      name: `${floor === FEATURES ? 'features' : floor.join('-and-')}-import-downwards`,
      severity: 'error',
      comment: `Floors of the front end: ${FLOORS.map((floor) => floor.join(', ')).join(' ← ')}`,
      from: { path: `^components/(${floor.join('|')})/` },
      to: {
        path: '^components/',
        pathNot: `^components/(${FLOORS.slice(0, index + 1)
          .flat()
          .join('|')})/`,
      },
    })),
    {
      name: 'features-do-not-import-each-other',
      severity: 'error',
      comment: 'What two features share stands in components/kit; the shell puts features together.',
      from: { path: `^components/(${FEATURES.join('|')})/` },
      to: { path: `^components/(${FEATURES.join('|')})/`, pathNot: '^components/$1/' },
    },
    ...QUEUE_ROOMS.map((room, index) => ({
      name: `queue-${room}-imports-downwards`,
      severity: 'error',
      comment: `Rooms of the queue: ${QUEUE_ROOMS.join(' ← ')} ← the desk`,
      from: { path: `^components/queue/${room}/`, pathNot: '[.]test[.]tsx?$' },
      to: {
        path: '^components/queue/',
        pathNot: `^components/queue/(${QUEUE_ROOMS.slice(0, index + 1).join('|')})/`,
      },
    })),
    {
      name: 'every-component-stands-on-a-floor',
      severity: 'error',
      from: {},
      to: { path: `^components/(?!(?:${FLOORS.flat().join('|')})/)` },
    },
    {
      name: 'core-knows-nothing-above',
      severity: 'error',
      comment: 'core ← modules ← trpc, rest, worker, cli ← http, main',
      from: { path: '^server/core/' },
      to: { path: '^server/', pathNot: '^server/core/' },
    },
    {
      name: 'modules-know-core-only',
      severity: 'error',
      comment: 'core ← modules ← trpc, rest, worker, cli ← http, main',
      from: { path: '^server/modules/' },
      to: { path: '^server/', pathNot: '^server/(core|modules)/' },
    },
    {
      name: 'transports-stand-side-by-side',
      severity: 'error',
      comment: 'A transport imports the modules: not another transport, and not what assembles them.',
      from: { path: '^server/(trpc|rest|worker|cli)/' },
      to: { path: '^server/', pathNot: '^server/(core|modules|$1)/' },
    },
    {
      name: 'nothing-imports-main',
      severity: 'error',
      from: {},
      to: { path: String.raw`^server/main\.ts$` },
    },
    {
      name: 'a-module-keeps-its-rows',
      severity: 'error',
      comment: 'Another module is read through its schema.ts, its view.ts and its use cases, never through its tables.',
      from: { path: '^server/modules/([^/]+/[^/]+)/' },
      to: { path: `^server/modules/(?!$1/).*(${PRIVATE})` },
    },
    {
      name: 'a-wing-keeps-its-rows',
      severity: 'error',
      comment: 'The same for wings that are one module.',
      from: { path: String.raw`^server/modules/([^/]+)/[^/]+\.ts$` },
      to: { path: `^server/modules/(?!$1/).*(${PRIVATE})` },
    },
    {
      name: 'rows-stay-in-their-module',
      severity: 'error',
      from: { pathNot: '^server/modules/' },
      to: { path: `^server/modules/.*(${PRIVATE})` },
    },
    {
      name: 'no-circle-of-modules',
      severity: 'error',
      scope: 'folder',
      from: { path: '^server/modules/' },
      to: { circular: true, path: '^server/modules/' },
    },
    {
      name: 'no-circle',
      severity: 'error',
      comment: 'Imports of types count too: what two files share goes into a third.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'the-domain-knows-no-framework',
      severity: 'error',
      comment: 'Nor their types: what a request or a router is, is for the transports to know.',
      from: { path: '^server/(core|modules)/' },
      to: { path: FRAMEWORKS },
    },
    {
      name: 'transports-hold-no-query',
      severity: 'error',
      from: { path: '^server/(trpc|rest)/' },
      to: {
        path: String.raw`^server/core/(db\.ts$|database/(?!database-failures)|prisma/)|node_modules/(pg|@types/pg|@prisma)/`,
      },
    },
    {
      name: 'schemas-are-pure',
      severity: 'error',
      comment: 'Browsers load them: zod and each other, nothing that reaches for the server.',
      from: { path: PURE_FILES },
      to: { path: '^server/', pathNot: PURE_FILES, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'pages-hold-no-server-code',
      severity: 'error',
      comment:
        'Next would bundle it without a word: only schema.ts, calendar.ts, periods.ts and find-links.ts may be imported by value.',
      from: { path: '^(app|components)/' },
      to: { path: '^server/', pathNot: FOR_PAGES, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'pages-know-the-wire-only',
      severity: 'error',
      comment: 'Types too: the router, the wire shapes and the schemas; not rows, not the domain.',
      from: { path: '^(app|components)/' },
      to: { path: '^server/', pathNot: [PURE_FILES, '^server/trpc/', String.raw`(^|/)view\.ts$`] },
    },
    {
      name: 'the-server-draws-nothing',
      severity: 'error',
      from: { path: '^server/' },
      to: { path: '^(app|components|e2e|bench|tools)/' },
    },
    {
      name: 'components-know-no-route',
      severity: 'error',
      from: { path: '^components/' },
      to: { path: '^app/' },
    },
    {
      name: 'tools-use-no-transport',
      severity: 'error',
      comment: 'What stands outside the server speaks HTTP to it, or calls the domain.',
      from: { path: '^(prisma|bench|e2e|tools)/' },
      to: { path: '^server/(trpc|rest|worker|cli|http)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'only-tests-import-testing',
      severity: 'error',
      from: { pathNot: '^((server/testing|e2e|bench)/|(vitest|playwright)\\.config\\.ts$)' },
      to: { path: '^server/testing/' },
    },
    {
      name: 'no-barrel',
      severity: 'error',
      comment: 'A file is imported by its own name.',
      from: { path: String.raw`(^|/)index\.tsx?$` },
      to: {},
    },
    {
      name: 'no-development-dependency',
      severity: 'error',
      comment: 'NODE_ENV=production npm ci installs without it.',
      from: { path: '^(server|app|components)/', pathNot: '^server/testing/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'resolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    // Tests may import anything; their imports say nothing about the structure.
    exclude: { path: [String.raw`\.test\.tsx?$`, String.raw`^\.next/`, '^server/core/prisma/internal/'] },
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
}
