import assert from 'node:assert/strict'
import type { Stage } from '../stage.ts'

interface Flagged {
  /** What somebody else wrote, and the caller's own. */
  theirs: string
  mine: string
  flagCount: () => Promise<unknown>
  whenFlagged?: () => Promise<void>
}

/** Flags of one type of content, whose functions have the same names. */
export async function driveFlags(
  { client, step }: Pick<Stage, 'client' | 'step'>,
  type: 'Comment' | 'Message' | 'Post',
  { theirs, mine, flagCount, whenFlagged }: Flagged,
): Promise<void> {
  const flag = `${type}Repository.flag${type}`
  const isFlagged = `${type}Repository.is${type}FlaggedByMe`
  const unflag = `${type}Repository.unflag${type}`
  await step(flag, async () => {
    assert.equal(await client.call(flag, theirs), true)
    assert.equal(await flagCount(), 1)
    await whenFlagged?.()
  })

  await step(isFlagged, async () => {
    assert.equal(await client.call(isFlagged, theirs), true)
    assert.equal(await client.call(isFlagged, mine), false)
  })

  await step(unflag, async () => {
    assert.equal(await client.call(unflag, theirs), true)
    assert.equal(await flagCount(), 0)
  })
}
