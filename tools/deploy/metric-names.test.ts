import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { metrics } from '#server/http/metrics.ts'

const DASHBOARD = 'tools/deploy/grafana-dashboard.json'
const ALERTS = 'tools/deploy/alerts.yaml'
/** Prometheus creates it itself, for each process that it scrapes. */
const OF_PROMETHEUS = ['up']
const WORDS_OF_PROMQL = /^(sum|min|max|topk|rate|deriv|by|or|absent|histogram_quantile|min_over_time|label_values)$/

/** The names that Prometheus gets: a histogram is three. */
async function servedNames(): Promise<string[]> {
  const served = await metrics.getMetricsAsJSON()
  return served.flatMap(({ name, type }) =>
    String(type) === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  )
}

/** The names of metrics in an expression: what is left without labels, texts, durations and words of the language. */
function namesIn(expression: string): string[] {
  const bare = expression.replace(/\{[^}]*\}|\[[^\]]*\]|"[^"]*"|\bby\s*\([^)]*\)/g, ' ')
  return (bare.match(/[a-z_][\w:]*/gi) ?? []).filter((word) => !WORDS_OF_PROMQL.test(word) && !/^e\d+$/.test(word))
}

/** The labels that expressions compare or group by. */
function labelsIn(expression: string): string[] {
  const compared = [...expression.matchAll(/[{,]\s*(\w+)\s*(?:=|!=|=~|!~)/g)].map(([, label = '']) => label)
  const grouped = [...expression.matchAll(/\bby\s*\(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/))
  return [...compared, ...grouped]
}

interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[]
  templating: { list: { type: string; query: string }[] }
}

interface Rules {
  groups: { rules: { alert: string; expr: string; labels: object; annotations: object }[] }[]
}

const dashboard: Dashboard = JSON.parse(await readFile(DASHBOARD, 'utf8'))
const rules: Rules = parse(await readFile(ALERTS, 'utf8'))
const alerts = rules.groups.flatMap((group) => group.rules)

test.each([
  ['the dashboard', dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))],
  [
    'the selection of the dashboard',
    dashboard.templating.list.filter(({ type }) => type === 'query').map(({ query }) => query.replace(', job)', ')')),
  ],
  ['the alerts', alerts.map(({ expr }) => expr)],
])('%s asks only for metrics that the server has', async (_name, expressions) => {
  const known = new Set([...(await servedNames()), ...OF_PROMETHEUS])
  expect(expressions.filter((expression) => namesIn(expression).length === 0)).toEqual([])
  expect(expressions.flatMap(namesIn).filter((name) => !known.has(name))).toEqual([])
  const labels = new Set([
    'job',
    'instance',
    'le',
    'method',
    'route',
    'status',
    'state',
    'server',
    'replica',
    'classifier',
    'outcome',
    'channel',
    'task',
  ])
  expect(expressions.flatMap(labelsIn).filter((label) => !labels.has(label))).toEqual([])
})

test('the dashboard or an alert shows every metric of Docket itself', async () => {
  const expressions = [...dashboard.panels.flatMap(({ targets }) => targets), ...alerts].map(({ expr }) => expr)
  const shown = expressions.flatMap(namesIn)
  const own = (await servedNames()).filter((name) => name.startsWith('docket_') && !name.endsWith('_sum'))
  expect(own.filter((name) => !shown.includes(name))).toEqual([])
})

test('every alert says how bad it is, what is wrong and what to do', () => {
  for (const alert of alerts)
    expect(alert).toMatchObject({
      alert: expect.stringMatching(/^Docket/),
      labels: { severity: expect.stringMatching(/^(critical|warning)$/) },
      annotations: { summary: expect.any(String), description: expect.any(String) },
    })
})

test('finds a name that the server does not have', () => {
  expect(namesIn('sum by (route) (rate(docket_gone_total{job="docket"}[5m])) > 1e9')).toEqual(['docket_gone_total'])
})
