/**
 * A line of CSV, ended by CRLF (RFC 4180). Cells are quoted where needed; a cell that a spreadsheet would run as a formula gets a leading
 * apostrophe, as `csv_cell` does in the database.
 */
export function csvLine(cells: readonly (string | number | undefined)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(value: string | number | undefined): string {
  if (typeof value !== 'string') return value === undefined ? '' : String(value)
  // Where spreadsheets separate cells by semicolons, each begins a cell, whatever is quoted.
  const safe = value.replaceAll(/(?<![^;])(?=[=+\-@\t\r\n＝＋－＠'])/g, "'")
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
