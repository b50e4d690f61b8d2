import { globSync, readFileSync } from 'node:fs'
import { ANSWERS, type Answer } from '#server/testing/row-types/answers.ts'
import { CATALOGUE } from '#server/testing/row-types/catalogue.ts'
import { compareAnswers } from '#server/testing/row-types/compare-answers.ts'
import { READERS } from '#server/testing/row-types/row-reads.ts'

/** What the schema doesn't know about fields. */
const KNOWN_BETTER: Record<string, string[]> = {
  'what is held is in a community, and has its place in the queue': [
    'server/modules/content/items/put-items.ts placedAt',
    'server/modules/review/backtests/read-pending.ts at',
    'server/modules/review/bulk/find-wave.ts communityId',
    'server/modules/review/bulk/find-wave.ts queuedAt',
    'server/modules/review/bulk/preview-bulk.ts communityId',
    'server/modules/review/bulk/preview-bulk.ts queuedAt',
    'server/modules/review/bulk/preview-members.ts communityId',
    'server/modules/review/bulk/preview-members.ts queuedAt',
    'server/modules/review/claims/lock-alike.ts communityId',
    'server/modules/review/items/read-item.ts communityId',
    'server/modules/review/queue/kinds.ts communityId',
    'server/modules/review/queue/kinds.ts queuedAt',
    'server/modules/review/queue/read-queue-page.ts communityId',
    'server/modules/review/queue/read-queue-page.ts queuedAt',
  ],
  'a report has both times': [
    'server/modules/review/items/read-report.ts flaggedAt',
    'server/modules/review/items/read-report.ts openedAt',
    'server/modules/review/queue/kinds.ts flaggedAt',
  ],
  'a condition leaves out null': [
    'server/modules/content/posts/list-posts.ts time',
    'server/modules/integrations/webhooks/maintain-endpoints.ts failingSince',
    'server/modules/integrations/notifications/mail/mail-settings.ts at',
    'server/modules/integrations/notifications/mail/mail-settings.ts lastFailure.at',
    'server/modules/ledger/audit/verify-chain.ts problem',
    'server/modules/network/policies/change-policies.ts starter',
    'server/modules/network/policies/read-policies.ts starter',
    'server/modules/people/list-memberships.ts membership',
    'server/modules/review/claims/claim-times.ts minutes',
    'server/modules/review/items/read-thread.ts communityId',
    'server/modules/review/rejected/store-rejected-bands.ts communityId',
  ],
  'a mail server has all of these, and a failure its reason': [
    ...['fromAddress', 'fromName', 'host', 'port', 'security', 'username'].flatMap((field) => [
      `server/modules/integrations/notifications/mail/mail-server.ts ${field}`,
      `server/modules/integrations/notifications/mail/mail-settings.ts server.${field}`,
    ]),
    'server/modules/integrations/notifications/mail/mail-settings.ts lastFailure.problem',
  ],
  'only a test stores others': [
    'server/modules/integrations/webhooks/list-endpoints.ts events',
    'server/modules/network/policies/read-policies.ts category',
    'server/modules/review/decisions/read-own-decision.ts outcome',
    'server/modules/review/decisions/record-decision.ts decision',
    'server/modules/review/views/list-views.ts filters',
  ],
  'the statement makes two': ['server/modules/review/insights/read-insights.ts spans'],
  'a type parameter names it': ['server/modules/ledger/audit/read-last-changes.ts field'],
}

/** Reads that no database test reaches in its own process. */
const UNREACHED: Record<string, string[]> = {
  'in a program of its own': [
    'prisma/catalogue.ts',
    'server/core/home.ts',
    'server/core/replicas/position.ts',
    'server/modules/integrations/classifiers/record-answers.ts',
  ],
  'rows of Prisma': ['server/modules/accounts/access/hidden-failures.ts'],
  'in a browser, or not at all': [
    'server/modules/accounts/roles/read-roles.ts',
    'server/modules/content/reactions/read-my-reactions.ts',
    'server/modules/review/items/read-record.ts',
  ],
}

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
const files = globSync('{server,prisma}/**/*.ts', {
  exclude: ['server/core/{prisma/**,db.ts}', 'server/testing/**', '**/*.test.ts'],
}).filter((path) =>
  readFileSync(path, 'utf8')
    .split(/\W+/)
    .some((word) => READERS.test(word)),
)
const answers: Answer[] = globSync(`${ANSWERS}/[0-9]*.json`).flatMap(read)
const fileOf = (place: string) => place.split(':')[0] ?? ''

const { findings, unreached } = compareAnswers({ answers, catalogue: read(CATALOGUE), files })
const wrong = [
  ...findings.map(({ place, field, problem }) => ({
    key: `${fileOf(place)} ${field}`,
    line: `${place}: ${field} ${problem}`,
  })),
  ...unreached.map((place) => ({ key: fileOf(place), line: `${place}: no database test reads these rows` })),
]
const exceptions = [...Object.values(KNOWN_BETTER), ...Object.values(UNREACHED)].flat()
const unused = exceptions.filter((exception) => !wrong.some(({ key }) => key === exception))
const lines = [
  ...new Set(wrong.filter(({ key }) => !exceptions.includes(key)).map(({ line }) => line)),
  ...unused.map((exception) => `${exception}: is no longer an exception`),
].sort()
for (const line of lines) console.error(line.slice(0, 1_000))
if (lines.length > 0) process.exitCode = 1
console.log(`Compared the types of rows with ${answers.length} answers: ${lines.length} problems`)
