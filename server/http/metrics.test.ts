import { expect, test } from 'vitest'
import { metrics, showSealing } from '#server/http/metrics.ts'

test('the metrics show the last sealed row, and that sealing stopped', async () => {
  showSealing({ seq: '374', problem: undefined })
  expect(await metrics.metrics()).toMatch(/\ndocket_audit_sealed_to 374\n.*\ndocket_audit_sealing_stopped 0\n/s)
  showSealing({ seq: '374', problem: 'the log was cut' })
  expect(await metrics.metrics()).toContain('\ndocket_audit_sealing_stopped 1\n')
})
