/** A redirect that gives a search parameter the page's own name for it, where that isn't set. */
const renamed = (page, from, to) => ({
  source: `/${page}`,
  has: [{ type: 'query', key: from, value: '(?<value>.+)' }],
  missing: [{ type: 'query', key: to }],
  destination: `/${page}?${to}=:value`,
  permanent: false,
})

/** @type {import('next').NextConfig} */
export default {
  poweredByHeader: false,
  // What it would preload is in the HTML that comes with it.
  reactMaxHeadersLength: 0,
  turbopack: {
    rules: {
      '*.js': {
        condition: { all: ['browser', { path: /node_modules\/next\/dist\/(client|shared|lib|build\/polyfills)\// }] },
        loaders: ['./tools/next-as-modules.mjs'],
      },
    },
    // Messages are compiled before they are sent: what parses them stays on the server.
    resolveAlias: {
      'use-intl/format-message': 'use-intl/format-message/format-only',
      // Of lucide-react, browsers load the icons alone.
      '../createLucideIcon.mjs': './components/ui/create-lucide-icon.ts',
    },
  },
  // The names that people try first, and those of other pages, lead to a page's own.
  redirects: () => [
    ...['users', 'communities', 'channels', 'messages'].map((page) => renamed(page, 'text', 'query')),
    renamed('queue', 'query', 'text'),
    ...['queue', 'messages', 'audit', 'insights'].flatMap((page) => [
      renamed(page, 'from', 'startDate'),
      renamed(page, 'until', 'endDate'),
      renamed(page, 'to', 'endDate'),
    ]),
  ],
  experimental: {
    // Without a connection, a navigation waits for it instead of leaving the desk for the browser's error page.
    useOffline: true,
    // Fewer, larger scripts: one that several pages share is worth a request only if it is large.
    turbopackChunking: { requestCost: 2_000_000, minChunkSize: 150_000, maxChunkCountPerGroup: 6 },
    // Guesses the route of a link that wasn't fetched ahead; the desk's pages are fetched on hover and focus.
    optimisticRouting: false,
    // For as long, a page that was opened before is shown at once, and without a connection: in seconds. Its lists are read again by
    // React Query, and say when they were read if that fails.
    staleTimes: { dynamic: 180 },
  },
  // `npm run check` runs tsc over everything; a production install has no test types, so the build must not.
  typescript: { ignoreBuildErrors: true },
}
