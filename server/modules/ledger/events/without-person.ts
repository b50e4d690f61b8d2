type Json = unknown

/**
 * An event's payload without one person's data: their profile, what they wrote and made with its files, and their memberships.
 * References to their id stay: who acted, and the communities they created.
 */
export function withoutPerson(payload: Json, userId: string): Json {
  const files = new Set<string>()
  const left = leaveOut(payload, (thing) => {
    if (!isTheirs(thing, userId)) return false
    noteFiles(thing, files)
    return true
  })
  return files.size === 0
    ? left
    : leaveOut(left, ({ fileId, fileUrl }) => fileUrl !== undefined && files.has(String(fileId)))
}

/** How each type of object names its owner. Some name the owner by a public id and have another kind of id in `creatorId`. */
const OWNER_KEYS = ['userId', 'userPublicId', 'postedUserId', 'creatorPublicId', 'creatorId', 'createdBy']
/** A field that only communities have, which don't belong to their creator alone. */
const OF_EVERYBODY = 'membersCount'

type Thing = Record<string, Json>

function isTheirs(thing: Thing, userId: string): boolean {
  return OWNER_KEYS.some((key) => thing[key] === userId) && !(OF_EVERYBODY in thing)
}

/** A copy without the objects to remove, at any depth: items of arrays, and fields. */
function leaveOut(value: Json, isToGo: (thing: Thing) => boolean): Json {
  if (Array.isArray(value)) {
    return value.filter((item) => !isThing(item) || !isToGo(item)).map((item) => leaveOut(item, isToGo))
  }
  if (!isThing(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => !isThing(inner) || !isToGo(inner))
      .map(([key, inner]) => [key, leaveOut(inner, isToGo)]),
  )
}

function isThing(value: Json): value is Thing {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function noteFiles(value: Json, files: Set<string>): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner === 'string' && /file/i.test(key)) files.add(inner)
    noteFiles(inner, files)
  }
}
