import { expect, test } from 'vitest'
import { notRead } from './reads-all.ts'

const ANSWER = { comments: [{ commentId: 'c1', data: { text: 'hello' }, isDeleted: false, dataType: 'text' }] }

test('a floor that reads all ids, names and texts of the answer misses nothing', () => {
  expect(notRead(ANSWER, [['c1', { text: 'hello' }, null, new Date()]])).toEqual([])
})

test('names what a floor does not read', () => {
  expect(notRead(ANSWER, [['c1', null]])).toEqual(['text: hello'])
})

test('the beginning of a text that was read is read', () => {
  expect(notRead({ text: 'Only the begi…' }, [['Only the beginning']])).toEqual([])
  expect(notRead({ text: 'Only the end…' }, [['Only the beginning']])).toEqual(['text: Only the end…'])
})
