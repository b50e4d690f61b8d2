import type { LockedContent } from '#server/modules/content/reviewable/lock-content.ts'
import type { Reviewable } from '#server/modules/content/reviewable/reviewable.ts'
import type { NewEvent } from '#server/modules/ledger/events/record-event.ts'
import type { EventName } from '#server/modules/ledger/events/schema.ts'

/** Content as it was before the change, or as it was written. */
export type PublishedContent = Pick<LockedContent, 'subjectId' | 'communityId' | 'isPublic'>

export interface ContentChange {
  name: EventName
  /** The desk's own event name, where no outside event is published. */
  deskName: `desk.${string}`
  /** As everyone sees it, if that has been read already. */
  payload?: object | undefined
  /** Published in addition. */
  also?: Record<string, string>
  /** Added where only desks are notified. */
  atDesk?: object
}

/** The event of a change. What is held or rejected is published to desks only, and by its id: those who may see it read it there. */
export async function contentEvent(
  type: Reviewable['type'],
  { subjectId, communityId, isPublic }: PublishedContent,
  { name, deskName, payload, also, atDesk }: ContentChange,
  readPayload: () => Promise<object>,
): Promise<NewEvent> {
  return {
    name: isPublic ? name : deskName,
    subjectType: type,
    subjectId,
    communityId,
    payload: isPublic ? { ...(payload ?? (await readPayload())), ...also } : { [`${type}Id`]: subjectId, ...atDesk },
    isDeskOnly: !isPublic,
  }
}
