'use client'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { RouterProvider } from 'react-aria-components'
import {
  Cell,
  Checkbox,
  Column,
  Row,
  type Selection,
  type SortDescriptor,
  Table,
  TableBody,
  TableHeader,
} from 'react-aria-components/Table'
import { useTranslations } from 'use-intl'
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
  /** The selection and its change handler; without it, rows can't be selected. */
  selection?: { selected: Selection; onChange: (selected: Selection) => void }
  sort?: { by: SortDescriptor; onChange: (by: SortDescriptor) => void }
  /** Opens an item on press or Enter. */
  onOpen?: (itemId: string) => void
  /** The row's link, followed on press or Enter; with Ctrl, in a new tab. */
  hrefOf?: (item: Item) => string
  empty?: ReactNode
}

const BELOW = 'phone:col-[2/-1] phone:row-start-2'
const HIDDEN = { narrow: 'narrow:hidden', phone: 'phone:hidden' }

/**
 * A table with a single tab stop and arrow-key navigation; on a phone each row has two lines. Rows start at `--edge`: as the head does on a
 * page, at the edge in a part of one.
 */
export function DataTable<Item extends object>({
  label,
  columns: allColumns,
  items,
  idOf,
  selection,
  sort,
  onOpen,
  hrefOf,
  empty,
}: DataTableProps<Item>) {
  const columns = allColumns.filter(
    ({ isEmptyFor }) => isEmptyFor === undefined || items.some((item) => !isEmptyFor(item)),
  )
  const looks = (column: TableColumn<Item>) =>
    `${column.align === 'end' ? 'text-end tabular-nums' : 'text-start'} ${column.hiddenOn ? HIDDEN[column.hiddenOn] : ''}`
  const go = useNavigate()
  const table = (
    <Table
      aria-label={label}
      selectionMode={selection ? 'multiple' : 'none'}
      {...(selection && { selectedKeys: selection.selected, onSelectionChange: selection.onChange })}
      {...(sort && { sortDescriptor: sort.by, onSortChange: sort.onChange })}
      {...(onOpen && { onRowAction: (key) => onOpen(String(key)) })}
      className="w-full border-collapse phone:block"
    >
      <TableHeader className="phone:sr-only">
        {selection && (
          <Column width={40} className="h-8 w-10 border-b border-line-strong ps-[18px] text-start">
            <Tick />
          </Column>
        )}
        {columns.map((column) => (
          <Column
            key={column.id}
            id={column.id}
            isRowHeader={column.isRowHeader ?? false}
            allowsSorting={column.isSortable ?? false}
            className={`group h-8 border-b border-line-strong px-2.5 text-small font-firm whitespace-nowrap text-ink-2 outline-offset-[-2px] first:ps-[var(--edge,10px)] last:pe-[var(--edge,10px)] ${looks(column)}`}
          >
            {({ sortDirection }) => (
              <>
                {column.header}
                {sortDirection && (
                  <span aria-hidden className="ms-1">
                    {sortDirection === 'ascending' ? '↑' : '↓'}
                  </span>
                )}
              </>
            )}
          </Column>
        ))}
      </TableHeader>
      {/* Rows are rendered again when the columns change: React Aria keeps those of unchanged items otherwise. */}
      <TableBody
        items={items}
        dependencies={[columns.map(({ id }) => id).join(' ')]}
        renderEmptyState={() => empty}
        className="phone:block"
      >
        {(item) => (
          <Row
            id={idOf(item)}
            {...(hrefOf && { href: hrefOf(item) })}
            className="group border-b border-line outline-offset-[-2px] hover:bg-hover selected:bg-selected phone:grid phone:min-h-13 phone:grid-cols-[auto_1fr_auto] phone:items-center phone:gap-x-2 phone:px-[min(var(--edge,12px),12px)] phone:py-1.5 forced-colors:selected:outline-2"
          >
            {selection && (
              <Cell className="ps-[18px] phone:row-span-2 phone:p-0">
                <Tick />
              </Cell>
            )}
            {columns.map((column) => (
              <Cell
                key={column.id}
                className={`h-table-row px-2.5 py-1 outline-offset-[-2px] first:ps-[var(--edge,10px)] last:pe-[var(--edge,10px)] phone:h-auto phone:p-0 phone:first:ps-0 ${column.isBelowOnPhone ? BELOW : ''} ${column.isRowHeader ? 'font-firm text-ink' : ''} ${looks(column)}`}
              >
                {column.cell(item)}
              </Cell>
            ))}
          </Row>
        )}
      </TableBody>
    </Table>
  )
  return <RouterProvider navigate={go}>{table}</RouterProvider>
}

function Tick() {
  const t = useTranslations('ui')
  return (
    <Checkbox slot="selection" aria-label={t('select')} className="group/tick grid size-6 place-items-center">
      <span className="grid size-4 place-items-center rounded-1 border border-line-control bg-raised text-on-accent group-selected/tick:border-accent group-selected/tick:bg-accent group-indeterminate/tick:border-accent group-focus-visible/tick:outline-2 group-focus-visible/tick:outline-focus forced-colors:group-selected/tick:bg-[Highlight]">
        <Check className="size-3 opacity-0 group-selected/tick:opacity-100" />
      </span>
    </Checkbox>
  )
}
