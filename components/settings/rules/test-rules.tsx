'use client'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { toRulePath } from '#components/kit/addresses/rules-search.ts'
import { Button } from '#components/ui/button.tsx'
import { DataTable, type TableColumn } from '#components/ui/data-table.tsx'
import type { TestedRule } from '#server/modules/review/backtests/schema.ts'
import type { ListedRule } from '#server/modules/rules/registry/schema.ts'
import { BacktestSection } from './backtest-section.tsx'
import { BacktestFigures, COST, decidedOf, useShare } from './figures.tsx'
import { useStateColumn } from './rule-state.tsx'

/** Tested at once: the server's limit. */
const CHOSEN_AT_MOST = 50

const areNotLive = ({ state }: ListedRule) => state === 'draft' || state === 'shadow'

/** Several rules of one space, tested in one pass: which ones, what each would have held, and all of them together. */
export function TestRules({ communityId, rules }: { communityId: string | undefined; rules: ListedRule[] }) {
  const t = useTranslations('rules.backtest')
  const several = useTranslations('rules.severalTested')
  const notLive = idsOf(rules.filter(areNotLive))
  const [chosen, setChosen] = useState(() => (notLive.length > 0 ? notLive : idsOf(rules)))
  // Somebody may archive one that was chosen.
  const ruleIds = idsOf(rules).filter((ruleId) => chosen.includes(ruleId))
  const isTooMany = ruleIds.length > CHOSEN_AT_MOST
  return (
    <BacktestSection
      title={t('title')}
      lead={several('lead')}
      act="several"
      communityId={communityId}
      ruleIds={ruleIds}
      samples={0}
      isDisabled={ruleIds.length === 0 || isTooMany}
    >
      {(sums) => (
        <>
          <div className="my-3 flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="tabular-nums" role="status">
              {several('chosen', { count: ruleIds.length })}
              {isTooMany && <> {several('tooMany', { limit: CHOSEN_AT_MOST })}</>}
            </span>
            {notLive.length > 0 && <Button onPress={() => setChosen(notLive)}>{several('chooseNotLive')}</Button>}
          </div>
          <TestTable
            rules={rules}
            tested={new Map(sums?.rules.map((rule) => [rule.ruleId, rule]))}
            chosen={ruleIds}
            onChoose={setChosen}
          />
          {sums && (
            <>
              <p className="mt-2 text-small text-ink-3">{several('costMeans')}</p>
              <h3 className="mt-5 font-firm text-ink">{several('together')}</h3>
              <BacktestFigures act="several" tested={sums.together} missing={sums.missing} />
            </>
          )}
        </>
      )}
    </BacktestSection>
  )
}

const idsOf = (rules: ListedRule[]) => rules.map(({ ruleId }) => ruleId)

interface TestTableProps {
  rules: ListedRule[]
  tested: ReadonlyMap<string, TestedRule>
  chosen: string[]
  onChoose: (ruleIds: string[]) => void
}

function TestTable({ rules, tested, chosen, onChoose }: TestTableProps) {
  const t = useTranslations('rules')
  const several = useTranslations('rules.severalTested')
  const format = useFormatter()
  const shareOf = useShare('–')
  const stateColumn = useStateColumn()
  const costOf = (ms: number) => (ms < LEAST_SHOWN_MS ? '< ' : '') + format.number(Math.max(ms, LEAST_SHOWN_MS), COST)
  /** A column of what was found; it is there from the start, so that nothing moves when figures arrive. */
  const resultColumn = (id: string, header: string, cellOf: (rule: TestedRule) => string): TableColumn<ListedRule> => ({
    id,
    header,
    align: 'end',
    hiddenOn: 'phone',
    cell: ({ ruleId }) => {
      const rule = tested.get(ruleId)
      return rule && cellOf(rule)
    },
  })
  const columns: TableColumn<ListedRule>[] = [
    {
      id: 'name',
      header: t('columns.name'),
      isRowHeader: true,
      cell: ({ name }) => <bdi className="inline-block min-h-6 wrap-anywhere">{name}</bdi>,
    },
    stateColumn,
    {
      id: 'held',
      header: several('held'),
      align: 'end',
      isBelowOnPhone: true,
      cell: ({ ruleId }) => {
        const rule = tested.get(ruleId)
        return rule && <Held rule={rule} share={shareOf(rule.caught.rejected, decidedOf(rule.caught))} />
      },
    },
    resultColumn('rejected', several('rejected'), ({ caught }) =>
      several('withShare', { count: caught.rejected, share: shareOf(caught.rejected, decidedOf(caught)) }),
    ),
    resultColumn('approved', several('approved'), ({ caught }) =>
      several('withShare', { count: caught.approved, share: shareOf(caught.approved, decidedOf(caught)) }),
    ),
    {
      ...resultColumn('found', several('found'), ({ caught, judged }) => shareOf(caught.rejected, judged.rejected)),
      hiddenOn: 'narrow',
    },
    {
      ...resultColumn('cost', several('cost'), ({ costMs, judged, failed }) =>
        several('ms', { ms: costOf(costMs / Math.max(1, decidedOf(judged))), failed }),
      ),
      hiddenOn: 'narrow',
    },
  ]
  return (
    <div className="[--edge:0px]">
      <DataTable
        label={t('title')}
        columns={columns}
        items={rules}
        idOf={({ ruleId }) => ruleId}
        hrefOf={({ ruleId }) => toRulePath(ruleId)}
        selection={{ selected: new Set(chosen), onChange: onChoose }}
      />
    </div>
  )
}

/** On a phone it says in one line what is in the other columns elsewhere. */
function Held({ rule: { caught }, share }: { rule: TestedRule; share: string }) {
  const t = useTranslations('rules.severalTested')
  const format = useFormatter()
  return (
    <>
      <span className="phone:hidden">{format.number(decidedOf(caught))}</span>
      <span className="hidden text-small text-ink-3 phone:block phone:text-start">
        {t('onPhone', { ...caught, held: decidedOf(caught), share })}
      </span>
    </>
  )
}

/** Most rules add less than this. */
const LEAST_SHOWN_MS = 0.01
