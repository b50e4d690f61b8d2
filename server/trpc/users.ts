import { countErasure } from '#server/modules/people/count-erasure.ts'
import { erasePerson } from '#server/modules/people/erase-person.ts'
import { openExport } from '#server/modules/people/export-person.ts'
import { findPeople } from '#server/modules/people/find-people.ts'
import { listAbout } from '#server/modules/people/list-about.ts'
import { listContent } from '#server/modules/people/list-content.ts'
import { listDecisionsAbout, listDecisionsBy } from '#server/modules/people/list-decisions.ts'
import { listFlagsBy, listFlagsOn } from '#server/modules/people/list-flags.ts'
import { listChannels, listCommunities } from '#server/modules/people/list-memberships.ts'
import { listNewest } from '#server/modules/people/list-newest.ts'
import { listPersonNotes } from '#server/modules/people/list-notes.ts'
import { listBans, listMutes } from '#server/modules/people/list-sanctions.ts'
import { readPerson } from '#server/modules/people/read-person.ts'
import { readTimeline } from '#server/modules/people/read-timeline.ts'
import {
  ContentListInput,
  EraseInput,
  ExportInput,
  FindPeopleInput,
  NewestInput,
  PersonInput,
  PersonListInput,
  TimelineInput,
} from '#server/modules/people/schema.ts'
import { procedure, router } from '#server/trpc/init.ts'

const readsAnywhere = procedure.meta({ readsAnywhere: true })
const listed = readsAnywhere.input(PersonListInput)

export const usersRouter = router({
  find: readsAnywhere.input(FindPeopleInput).query(({ ctx, input }) => findPeople(ctx, input)),
  newest: readsAnywhere.input(NewestInput).query(({ ctx, input }) => listNewest(ctx, input)),
  read: readsAnywhere.input(PersonInput).query(({ ctx, input }) => readPerson(ctx, input)),
  communities: listed.query(({ ctx, input }) => listAbout(ctx, listCommunities, input)),
  channels: listed.query(({ ctx, input }) => listAbout(ctx, listChannels, input)),
  bans: listed.query(({ ctx, input }) => listAbout(ctx, listBans, input)),
  mutes: listed.query(({ ctx, input }) => listAbout(ctx, listMutes, input)),
  content: readsAnywhere.input(ContentListInput).query(({ ctx, input }) => listAbout(ctx, listContent, input)),
  timeline: readsAnywhere.input(TimelineInput).query(({ ctx, input }) => readTimeline(ctx, input)),
  decisionsAbout: listed.query(({ ctx, input }) => listAbout(ctx, listDecisionsAbout, input)),
  decisionsBy: listed.query(({ ctx, input }) => listAbout(ctx, listDecisionsBy, input)),
  flagsOn: listed.query(({ ctx, input }) => listAbout(ctx, listFlagsOn, input)),
  flagsBy: listed.query(({ ctx, input }) => listAbout(ctx, listFlagsBy, input)),
  notes: readsAnywhere.input(PersonListInput).query(({ ctx, input }) => listAbout(ctx, listPersonNotes, input)),
  /** The path of a file, valid for a minute. */
  export: procedure.input(ExportInput).mutation(async ({ ctx, input }) => {
    const link = await openExport(ctx, ctx.linkKey, input)
    return `/api/v1/exports/users?${new URLSearchParams({ ...link })}`
  }),
  erasureCounts: readsAnywhere.input(PersonInput).query(({ ctx, input }) => countErasure(ctx, input)),
  erase: procedure.input(EraseInput).mutation(({ ctx, input }) => erasePerson(ctx, input)),
})
