import { expect, test } from 'vitest'
import {
  addClassifier,
  changeClassifier,
  removeClassifier,
} from '#server/modules/integrations/classifiers/change-classifiers.ts'
import { ClassifierFields } from '#server/modules/integrations/classifiers/schema.ts'
import { addEndpoint, changeEndpoint, removeEndpoint } from '#server/modules/integrations/webhooks/change-endpoints.ts'
import { openAuditExport, readAuditExport } from '#server/modules/ledger/audit/export-audit.ts'
import { listAudit } from '#server/modules/ledger/audit/list-audit.ts'
import { AuditFilter, AuditInput } from '#server/modules/ledger/audit/schema.ts'
import { asAdmin, ctxOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { testWebhooks } from '#server/testing/webhooks.ts'

const { database } = await testDatabase()
const admin = ctxOf(database, asAdmin(['MANAGE_CREDENTIALS']))
const support = ctxOf(database, asAdmin(['VIEW_HISTORY']))
const FIRST = 'https://first.example/hooks/SECRET?token=SECRET#SECRET'
const SECOND = 'https://second.example/SECRET'

interface Addressed {
  subjectType: string
  /** Adds one with the first address, gives it the second, and removes it if asked to; resolves to its id. */
  act(options: { isRemoved: boolean }): Promise<string>
}

/** What has an address whose path and query may be secret. */
const ADDRESSED: Record<string, Addressed> = {
  'a webhook endpoint': {
    subjectType: 'webhook',
    act: async ({ isRemoved }) => {
      const { endpoint } = await addEndpoint(admin, { url: FIRST, events: [] }, testWebhooks)
      const changed = await changeEndpoint(admin, { ...endpoint, url: SECOND, events: [] }, testWebhooks)
      if (isRemoved) await removeEndpoint(admin, changed)
      return endpoint.endpointId
    },
  },
  'a classifier': {
    subjectType: 'classifier',
    act: async ({ isRemoved }) => {
      const fields = (url: string) => ClassifierFields.parse({ name: crypto.randomUUID(), url, kinds: ['comment'] })
      const { classifier } = await addClassifier(admin, fields(FIRST), testWebhooks)
      const { classifierId, version } = classifier
      const changed = await changeClassifier(admin, { ...fields(SECOND), classifierId, version }, testWebhooks)
      if (isRemoved) await removeClassifier(admin, changed)
      return classifierId
    },
  },
}

const cases = Object.keys(ADDRESSED).flatMap((what) => [true, false].map((isRemoved) => ({ what, isRemoved })))

test.each(
  cases,
)('the log has only the host of the address of $what, in its list and in its file (removed: $isRemoved)', async ({
  what,
  isRemoved,
}) => {
  const { subjectType, act } = ADDRESSED[what] ?? expect.fail()
  const subjectId = await act({ isRemoved })
  const filter = AuditFilter.parse({ subjectType, subjectId })
  const { items } = await listAudit(support, AuditInput.parse(filter))
  expect(items).toHaveLength(isRemoved ? 3 : 2)

  const key = Buffer.alloc(32)
  const file = readAuditExport(support, key, await openAuditExport(support, key, filter))
  const lines = (await Array.fromAsync(file)).join('')
  expect(lines.trimEnd().split('\r\n')).toHaveLength(1 + items.length)
  for (const log of [JSON.stringify(items), lines]) expect(log).not.toContain('SECRET')
  for (const host of ['first.example', 'second.example']) expect(lines).toContain(host)
})
