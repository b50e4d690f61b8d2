import { expect, test } from 'vitest'
import { metrics, showClassifiers, showConnections, showSealing } from '#server/http/metrics.ts'
import { notificationFigures } from '#server/modules/integrations/notifications/figures.ts'

test('the metrics show the last sealed row, and that sealing stopped', async () => {
  showSealing({ seq: '374', problem: undefined })
  expect(await metrics.metrics()).toMatch(/\ndocket_audit_sealed_to 374\n.*\ndocket_audit_sealing_stopped 0\n/s)
  showSealing({ seq: '374', problem: 'the log was cut' })
  expect(await metrics.metrics()).toContain('\ndocket_audit_sealing_stopped 1\n')
})

test('the metrics show used, idle and awaited connections, with those for reads', async () => {
  const reads = { totalCount: 2, idleCount: 1, waitingCount: 0 }
  showConnections({ totalCount: 10, idleCount: 8, waitingCount: 2, reads })
  const text = await metrics.metrics()
  expect(text).toContain('\ndocket_database_connections{state="used"} 3\n')
  expect(text).toContain('\ndocket_database_connections{state="idle"} 9\n')
  expect(text).toContain('\ndocket_database_connections_awaited 2\n')
})

test('shows of each classifier what it was asked, how much waits and whether its breaker is open, and forgets a removed one', async () => {
  const figures = new Map([['one', { items: { asked: 3, answered: 2, failed: 1 }, isOpen: true, waiting: 7 }]])
  showClassifiers(figures)
  const text = await metrics.metrics()
  expect(text).toContain('\ndocket_classifier_items_total{classifier="one",outcome="answered"} 2\n')
  expect(text).toContain('\ndocket_classifier_items_waiting{classifier="one"} 7\n')
  expect(text).toContain('\ndocket_classifier_breaker_open{classifier="one"} 1\n')
  figures.clear()
  expect(await metrics.metrics()).not.toContain('{classifier=')
})

test('the metrics count messages with notifications that were sent and that failed, by channel', async () => {
  const before = structuredClone(notificationFigures)
  Object.assign(notificationFigures, { mail: { sent: 3, failed: 1 }, push: { sent: 0, failed: 2 } })
  const text = await metrics.metrics()
  Object.assign(notificationFigures, before)
  for (const line of ['mail",outcome="sent"} 3', 'mail",outcome="failed"} 1', 'push",outcome="failed"} 2'])
    expect(text).toContain(`\ndocket_notifications_total{channel="${line}\n`)
})
