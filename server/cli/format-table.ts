type Cell = string | Date | null

/** Pads columns to their widest cell; times to the second, UTC. */
export function formatTable(titles: string[], rows: Cell[][]): string {
  const lines = [titles, ...rows.map((row) => row.map(formatCell))]
  const widths = titles.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function formatCell(cell: Cell): string {
  if (cell === null) return '-'
  return cell instanceof Date ? cell.toISOString().replace(/\.\d+Z$/, 'Z') : cell
}
