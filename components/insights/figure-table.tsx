'use client'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '#components/ui/button.tsx'

/** How many rows are shown at first: as many as are read at a glance. */
const FIRST_ROWS = 20

export interface FigureColumn<Row> {
  id: string
  header: string
  cell: (row: Row) => ReactNode
  isHiddenOnPhone?: boolean
}

interface FigureTableProps<Row> {
  label: string
  columns: FigureColumn<Row>[]
  rows: Row[]
  idOf: (row: Row) => string
}

/** A table of figures: the first column names the row, the others are numbers. */
export function FigureTable<Row>({ label, columns, rows, idOf }: FigureTableProps<Row>) {
  const look = ({ isHiddenOnPhone }: FigureColumn<Row>, index: number) =>
    `py-2 ${index === 0 ? 'text-start' : 'ps-3 text-end tabular-nums'} ${isHiddenOnPhone ? 'phone:hidden' : ''}`
  return (
    <table className="w-full border-collapse">
      <caption className="sr-only">{label}</caption>
      <thead>
        <tr className="border-b border-line-strong text-small text-ink-2">
          {columns.map((column, index) => (
            <th key={column.id} scope="col" className={`font-firm ${look(column, index)}`}>
              {column.header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={idOf(row)} className="border-b border-line">
            {columns.map((column, index) =>
              index === 0 ? (
                <th key={column.id} scope="row" className={`font-firm wrap-anywhere text-ink ${look(column, index)}`}>
                  {column.cell(row)}
                </th>
              ) : (
                <td key={column.id} className={look(column, index)}>
                  {column.cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A table whose first rows matter most: the others are rendered on request. */
export function LongFigureTable<Row>({ rows, ...table }: FigureTableProps<Row>) {
  const t = useTranslations('insights')
  const [isWhole, setWhole] = useState(false)
  const isLong = rows.length > FIRST_ROWS
  return (
    <>
      <FigureTable rows={isWhole ? rows : rows.slice(0, FIRST_ROWS)} {...table} />
      {isLong && (
        <Button look="bare" size="small" className="mt-1.5" onPress={() => setWhole(!isWhole)}>
          {isWhole ? t('showFirst', { count: FIRST_ROWS }) : t('showMore', { count: rows.length - FIRST_ROWS })}
        </Button>
      )}
    </>
  )
}
