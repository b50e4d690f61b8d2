import type pg from 'pg'

/** Where answers are recorded, from the program's folder. */
export const ANSWERS = '.docket/test/answers'

/** What the statements of one call answered: alike in their columns, whatever their values. */
export interface Answer {
  /** Where it was called, then by whom: `server/core/x.ts:12:3`. */
  callers: string[]
  /** As PostgreSQL described them; empty where what was read as rows is no result of a statement. */
  columns: Column[]
  /** Whether rows are read as the driver names them, not in camelCase. */
  isRaw: boolean
  /** By the names that rows have in the program: the types of the values that came. */
  seen: Record<string, string[]>
}

export type Column = Pick<pg.FieldDef, 'name' | 'dataTypeID' | 'tableID' | 'columnID'>
