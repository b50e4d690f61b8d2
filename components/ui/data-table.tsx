'use client'
import { Check } from 'lucide-react'
import { type KeyboardEvent, type MouseEvent, type ReactNode, type Ref, useId, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useGridKeys } from './use-grid-keys.ts'
import { useNavigate } from './use-navigate.ts'

export interface TableColumn<Item> {
  id: string
  /** In the table head; a phone has no head, so there only screen readers read it. */
  header: string
  cell: (item: Item) => ReactNode
  /** Whether this column names the row. */
  isRowHeader?: boolean
  isSortable?: boolean
  /** Numbers and times align to the end of their column. */
  align?: 'end'
  /** Where the column is hidden: at 1180 px and below, or on a phone. */
  hiddenOn?: 'narrow' | 'phone'
  /** Whether its cell says nothing about an item: a column that says nothing about any item isn't shown. */
  isEmptyFor?: (item: Item) => boolean
  /** On a phone the cell is below the name, and may be long. */
  isBelowOnPhone?: boolean
}

interface DataTableProps<Item extends object> {
  label: string
  columns: TableColumn<Item>[]
  items: Item[]
  idOf: (item: Item) => string
  /** The selected ids and their change handler; without it, rows can't be selected. */
  selection?: {
    selected: ReadonlySet<string>
    onChange: (selected: string[]) => void
    /** Not while other rows are on their way. */
    isDisabled?: boolean
    /** Why a row can't be selected. */
    whyNot?: (item: Item) => string | undefined
  }
  /** The sorted column; pressing the head of a sortable one sorts by it. */
  sort?: { by: { column: string; direction: 'ascending' | 'descending' }; onChange: (column: string) => void }
  /** Opens an item on press or Enter. */
  onOpen?: (itemId: string) => void
  /** The row's link, followed on press or Enter; with Ctrl, in a new tab. */
  hrefOf?: (item: Item) => string
}

const BELOW = 'phone:col-[2/-1] phone:row-start-2'
const HIDDEN = { narrow: 'narrow:hidden', phone: 'phone:hidden' }
/** The roles of a table, which it loses in a phone's layout, and those of a grid. */
const AS = {
  grid: { role: 'grid' },
  choosingGrid: { role: 'grid', 'aria-multiselectable': true },
  rowgroup: { role: 'rowgroup' },
  row: { role: 'row' },
  columnheader: { role: 'columnheader' },
  rowheader: { role: 'rowheader' },
  gridcell: { role: 'gridcell' },
} as const
/** What handles a press itself. */
const OWN_PRESS = 'a, button, input, label, select, textarea'
/** The link around a row's name, which does the same as the row. */
const ROW_LINK = 'a[data-row-link]'

/**
 * A table with a single tab stop and arrow-key navigation; on a phone each row has two lines. Rows start at `--edge`: as the head does on a
 * page, at the edge in a part of one.
 */
export function DataTable<Item extends object>(props: DataTableProps<Item>) {
  const { label, items, idOf, selection, sort, onOpen, hrefOf } = props
  const columns = props.columns.filter(
    ({ isEmptyFor }) => isEmptyFor === undefined || items.some((item) => !isEmptyFor(item)),
  )
  const table = useRef<HTMLTableElement>(null)
  const baseId = useId()
  const go = useNavigate()
  const [focused, setFocused] = useState<string>()
  // Where a range begins: pressing a row moves the focus before it selects.
  const anchor = useRef<string>(undefined)
  const ids = items.map(idOf)
  const selected = selection ? ids.filter((id) => selection.selected.has(id)) : []
  const whyNots = items.map((item) => selection?.whyNot?.(item))
  const isSelectable = (_: string, index: number) => whyNots[index] === undefined
  const selectable = ids.filter(isSelectable)
  const tabStop = focused !== undefined && ids.includes(focused) ? focused : ids[0]

  const toggle = (id: string) => {
    if (!selectable.includes(id)) return
    anchor.current = id
    selection?.onChange(selected.includes(id) ? selected.filter((one) => one !== id) : [...selected, id])
  }
  const selectAll = (areAll: boolean) => selection?.onChange(areAll ? selectable : [])
  const selectUpTo = (index: number) => {
    const from = Math.max(0, ids.indexOf(anchor.current ?? tabStop ?? ''))
    const isInRange = (_: string, at: number) => at >= Math.min(from, index) && at <= Math.max(from, index)
    selection?.onChange(ids.filter((id, at) => isInRange(id, at) && isSelectable(id, at)))
  }

  function open(index: number, { ctrlKey, metaKey }: KeyboardEvent | MouseEvent): void {
    const item = items[index]
    if (!item) return
    if (!hrefOf) onOpen?.(idOf(item))
    else if (ctrlKey || metaKey) window.open(hrefOf(item), '_blank', 'noopener')
    else go(hrefOf(item))
  }

  /** What a press selects instead of opening the row. */
  function selectBy(index: number, { shiftKey }: MouseEvent): (() => void) | undefined {
    if (selection && shiftKey) return () => selectUpTo(index)
    return selected.length > 0 ? () => toggle(ids[index] ?? '') : undefined
  }

  function press(index: number, event: MouseEvent<HTMLTableRowElement>): void {
    const pressed = pressedIn(event)
    if (pressed === 'other') return
    // A key or a screen reader follows the link.
    const select = pressed === 'rowLink' && event.detail === 0 ? undefined : selectBy(index, event)
    // The browser opens a link elsewhere.
    if (pressed === 'rowLink' && !select && (event.ctrlKey || event.metaKey || event.shiftKey)) return
    if (pressed === 'rowLink') event.preventDefault()
    if (select) select()
    else open(index, event)
  }

  const onKeyDown = useGridKeys(table, {
    onOpen: hrefOf || onOpen ? open : undefined,
    onToggle: selection && ((index) => toggle(ids[index] ?? '')),
    onSelectAll: selection && (() => selectAll(true)),
    onClear: selected.length > 0 ? () => selectAll(false) : undefined,
  })

  return (
    <table
      ref={table}
      {...(selection ? AS.choosingGrid : AS.grid)}
      aria-label={label}
      onKeyDown={onKeyDown}
      className="w-full border-collapse phone:block"
    >
      <thead {...AS.rowgroup} className="phone:sr-only">
        <tr {...AS.row}>
          {selection && (
            <th {...AS.columnheader} className="h-8 w-10 border-b border-line-strong ps-[18px] text-start">
              <Tick
                isOn={selected.length > 0 && selected.length === selectable.length}
                isDisabled={selection.isDisabled || selectable.length === 0}
                isMixed={selected.length > 0 && selected.length < selectable.length}
                onChange={selectAll}
              />
            </th>
          )}
          {columns.map((column) => (
            <Head key={column.id} column={column} sort={sort} />
          ))}
        </tr>
      </thead>
      <tbody {...AS.rowgroup} className="phone:block">
        {items.map((item, index) => {
          const id = idOf(item)
          const whyNot = whyNots[index]
          const isSelected = whyNot === undefined ? selection?.selected.has(id) : undefined
          return (
            <tr
              key={id}
              {...AS.row}
              tabIndex={id === tabStop ? 0 : -1}
              aria-labelledby={`${baseId}-${index}`}
              aria-selected={isSelected}
              onFocus={() => setFocused(id)}
              onClick={(event) => press(index, event)}
              className="group border-b border-line outline-offset-[-2px] hover:bg-hover aria-selected:bg-selected phone:grid phone:min-h-13 phone:grid-cols-[auto_1fr_auto] phone:items-center phone:gap-x-2 phone:px-[min(var(--edge,12px),12px)] phone:py-1.5 forced-colors:aria-selected:outline-2"
            >
              {selection && (
                <td {...AS.gridcell} className="ps-[18px] phone:row-span-2 phone:p-0">
                  <Tick
                    isOn={isSelected === true}
                    isDisabled={selection.isDisabled || whyNot !== undefined}
                    whyNot={whyNot}
                    onChange={() => toggle(id)}
                    labelledBy={`${baseId}-${index}`}
                  />
                </td>
              )}
              {columns.map((column) => (
                <td
                  key={column.id}
                  {...(column.isRowHeader ? { ...AS.rowheader, id: `${baseId}-${index}` } : AS.gridcell)}
                  className={`h-table-row px-2.5 py-1 first:ps-[var(--edge,10px)] last:pe-[var(--edge,10px)] phone:h-auto phone:p-0 phone:first:ps-0 ${column.isBelowOnPhone ? BELOW : ''} ${column.isRowHeader ? 'font-firm text-ink' : ''} ${looksOf(column)}`}
                >
                  {hrefOf && column.isRowHeader ? (
                    <a data-row-link href={hrefOf(item)} tabIndex={-1} className="block text-inherit no-underline">
                      {column.cell(item)}
                    </a>
                  ) : (
                    column.cell(item)
                  )}
                </td>
              ))}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

/** What in a row was pressed, if it is more than text. */
function pressedIn({ target }: MouseEvent): 'rowLink' | 'other' | undefined {
  const own = target instanceof Element ? target.closest(OWN_PRESS) : null
  if (!own) return undefined
  return own.matches(ROW_LINK) ? 'rowLink' : 'other'
}

const looksOf = ({ align, hiddenOn }: Pick<TableColumn<never>, 'align' | 'hiddenOn'>) =>
  `${align === 'end' ? 'text-end tabular-nums' : 'text-start'} ${hiddenOn ? HIDDEN[hiddenOn] : ''}`

function Head<Item extends object>({
  column,
  sort,
}: {
  column: TableColumn<Item>
  sort: DataTableProps<Item>['sort']
}) {
  const direction = sort?.by.column === column.id ? sort.by.direction : undefined
  return (
    <th
      {...AS.columnheader}
      aria-sort={column.isSortable ? (direction ?? 'none') : undefined}
      className={`h-8 border-b border-line-strong px-2.5 text-small font-firm whitespace-nowrap text-ink-2 first:ps-[var(--edge,10px)] last:pe-[var(--edge,10px)] ${looksOf(column)}`}
    >
      {column.isSortable ? (
        <button type="button" onClick={() => sort?.onChange(column.id)}>
          {column.header}
          {direction && (
            <span aria-hidden className="ms-1">
              {direction === 'ascending' ? '↑' : '↓'}
            </span>
          )}
        </button>
      ) : (
        column.header
      )}
    </th>
  )
}

interface TickProps {
  isOn: boolean
  isMixed?: boolean
  isDisabled?: boolean | undefined
  whyNot?: string | undefined
  onChange: (isOn: boolean) => void
  labelledBy?: string
}

function Tick({ isOn, isMixed = false, isDisabled = false, whyNot, onChange, labelledBy }: TickProps) {
  const t = useTranslations('ui')
  const id = useId()
  const showMixed: Ref<HTMLInputElement> = (box) => {
    if (box) box.indeterminate = isMixed
  }
  return (
    <label title={whyNot} className="group/tick grid size-6 place-items-center has-disabled:opacity-40">
      <input
        ref={showMixed}
        id={id}
        type="checkbox"
        aria-label={t('select')}
        aria-labelledby={labelledBy && `${id} ${labelledBy}`}
        aria-description={whyNot}
        checked={isOn}
        disabled={isDisabled}
        onChange={(event) => onChange(event.target.checked)}
        className="peer col-start-1 row-start-1 size-4 appearance-none rounded-1 border border-line-control bg-raised checked:border-accent checked:bg-accent indeterminate:border-accent forced-colors:checked:bg-[Highlight]"
      />
      <Check className="pointer-events-none col-start-1 row-start-1 size-3 text-on-accent opacity-0 peer-checked:opacity-100" />
    </label>
  )
}
