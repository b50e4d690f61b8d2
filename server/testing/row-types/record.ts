import { afterAll, vi } from 'vitest'
import { recordAnswers, recordingRows, writeAnswers } from '#server/testing/row-types/record-answers.ts'

vi.mock(import('#server/core/database/json-rows.ts'), async (load) => {
  const real = await load()
  return { ...real, rowsOfJson: recordingRows(real.rowsOfJson) as typeof real.rowsOfJson }
})

recordAnswers()
afterAll(writeAnswers)
