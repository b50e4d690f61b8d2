import type { Person } from './people.ts'

/** A comment with its replies. Those without a time fall between their post and the oldest pending comment. */
export interface Said {
  by: Person
  text: string
  /** Minutes before now when it was written. */
  writtenAgo?: number
  /** Minutes before now when it was held. */
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

/** Held when it was written. */
export function held(by: Person, minutesAgo: number, text: string, ...replies: Said[]): Said {
  return { by, text, writtenAgo: minutesAgo, heldAgo: minutesAgo, approvalStatus: 'pending', replies }
}

/** Written some time before a report or a new rule held it. */
export function heldLater(by: Person, [writtenAgo, heldAgo]: [number, number], text: string, ...replies: Said[]): Said {
  return { by, text, writtenAgo, heldAgo, approvalStatus: 'pending', replies }
}

/** Held, and decided since. */
export function decided(approvalStatus: 'approved' | 'rejected', by: Person, text: string, ...replies: Said[]): Said {
  return { by, text, approvalStatus, replies }
}

export function mentioning(comment: Said, ...mentions: Person[]): Said {
  return { ...comment, mentions }
}
