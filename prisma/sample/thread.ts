import type { Person } from './people.ts'

/** A comment with its replies. Those without a time of their own fall between their post and the oldest that waits. */
export interface Said {
  by: Person
  text: string
  /** Minutes before now at which it was written. */
  writtenAgo?: number
  /** Minutes before now at which it was held. */
  heldAgo?: number
  approvalStatus?: 'pending' | 'approved' | 'rejected'
  mentions?: Person[]
  replies: Said[]
}

export interface Post {
  postId: string
  by: Person
  daysAgo: number
  title: string
  text: string
  tags?: string[]
  comments: Said[]
}

export function said(by: Person, text: string, ...replies: Said[]): Said {
  return { by, text, replies }
}

/** Held as soon as it was written. */
export function held(by: Person, minutesAgo: number, text: string, ...replies: Said[]): Said {
  return { by, text, writtenAgo: minutesAgo, heldAgo: minutesAgo, approvalStatus: 'pending', replies }
}

/** Written a while before somebody's report, or a new rule, held it. */
export function heldLater(by: Person, [writtenAgo, heldAgo]: [number, number], text: string, ...replies: Said[]): Said {
  return { by, text, writtenAgo, heldAgo, approvalStatus: 'pending', replies }
}

/** Held once, and decided since. */
export function decided(approvalStatus: 'approved' | 'rejected', by: Person, text: string, ...replies: Said[]): Said {
  return { by, text, approvalStatus, replies }
}

export function mentioning(comment: Said, ...mentions: Person[]): Said {
  return { ...comment, mentions }
}
