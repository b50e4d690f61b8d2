'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ActToast } from '#components/kit/acts/act-toast.tsx'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Page } from '#components/ui/page.tsx'
import type { Person, PersonLists } from '#server/modules/people/schema.ts'
import { AnswerLine } from './answer-line.tsx'
import { Content } from './content/content.tsx'
import { DecisionsAbout, DecisionsBy } from './decisions.tsx'
import { EmptyParts, isEmpty } from './empty-parts.tsx'
import { ErasureBanner } from './erasure-banner.tsx'
import { Flags } from './flags.tsx'
import { Ids } from './ids.tsx'
import { Memberships } from './memberships.tsx'
import { Notes } from './notes.tsx'
import { PersonHead } from './person-head.tsx'
import { Sanctions } from './sanctions.tsx'
import { Statements } from './statements.tsx'
import { PersonTimeline } from './timeline.tsx'
import { Treatments } from './treatments.tsx'
import { usePersonActs } from './use-person-acts.tsx'

/** A person's page: an overview, and acts on the account. */
export function PersonPage({ userId }: { userId: string }) {
  const read = useQuery(useTRPC().users.read.queryOptions({ userId }))
  return (
    <Page>
      <QueryState query={read} />
      {read.data && <OneLook key={read.data.user.userId} person={read.data} isReading={read.isFetching} />}
    </Page>
  )
}

/** `isReading`: it is read again after an act, so that what is missing may be on its way. */
function OneLook({ person, isReading }: { person: Person; isReading: boolean }) {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const readAgain = async () => {
    const lists = [
      trpc.users.pathFilter(),
      trpc.statements.pathFilter(),
      trpc.review.matching.queryFilter({ authorId: person.user.userId }),
    ]
    await Promise.all(lists.map((list) => queryClient.invalidateQueries(list)))
  }
  const has = (...lists: (keyof PersonLists)[]) => lists.some((list) => !isEmpty(person, list))
  const { open, decide, dialog, last, done, undo, dismiss } = usePersonActs(person, readAgain)

  return (
    <>
      <ErasureBanner person={person} />
      <div className="mx-auto w-full max-w-[1276px] px-[18px] pb-6 phone:px-3">
        <PersonHead person={person} onOpen={open} />
        <AnswerLine person={person} />
        <div className="mt-5 grid grid-cols-[minmax(0,1fr)_340px] grid-rows-[auto_1fr] items-start gap-x-10 gap-y-6 max-[900px]:grid-cols-[minmax(0,1fr)] max-[900px]:grid-rows-none">
          {/* First on a phone too, where the other columns are below each other. */}
          <div className="col-start-2 grid gap-y-6 empty:hidden max-[900px]:col-start-1">
            {has('bans', 'mutes') && <Sanctions person={person} onLifted={done} />}
            {person.treatments.length > 0 && <Treatments person={person} onEnded={done} />}
            <Statements userId={person.user.userId} />
          </div>
          <div className="col-start-1 row-span-2 row-start-1 grid gap-y-7 max-[900px]:row-span-1 max-[900px]:row-start-auto">
            <Content person={person} isBlocked={dialog !== undefined} onDecide={decide} />
            {has('decisionsAbout') && <DecisionsAbout person={person} />}
            {has('decisionsBy') && <DecisionsBy person={person} />}
            {has('communities', 'channels') && <Memberships person={person} />}
            {!isReading && <EmptyParts person={person} />}
          </div>
          <div className="col-start-2 grid gap-y-6 max-[900px]:col-start-1">
            <PersonTimeline userId={person.user.userId} />
            <Ids user={person.user} />
            <Flags person={person} />
            {(has('notes') || person.allowed.note) && <Notes person={person} onAdd={() => open('note')} />}
          </div>
        </div>
      </div>
      <div className="sticky bottom-0 z-3 mx-auto mt-auto w-full max-w-115 p-2">
        <ActToast last={last} onUndo={undo} onDismiss={dismiss} />
      </div>
      {dialog}
    </>
  )
}
