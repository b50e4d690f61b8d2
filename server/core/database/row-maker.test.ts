import { expect, test } from 'vitest'
import { rowMaker } from '#server/core/database/row-maker.ts'

const toRow = rowMaker(['comment_id', 'flag_count', 'author:', 'user_id', 'display_name', 'avatar:', 'file_id'])

test('columns are named in camelCase, and those of a joined row are an object of its own', () => {
  expect(toRow(['c1', 2, null, 'u1', null, null, 'f1'])).toEqual({
    commentId: 'c1',
    flagCount: 2,
    author: { userId: 'u1', displayName: null },
    avatar: { fileId: 'f1' },
  })
})

test('a joined row whose first column is null is null', () => {
  const row = toRow(['c1', 0, null, null, 'Ada', null, null])
  expect(row).toEqual({ commentId: 'c1', flagCount: 0, author: null, avatar: null })
})
