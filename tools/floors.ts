/** The wings of `server/modules`, lowest first. A wing imports from the wings before it, never from those after it. */
export const WINGS = [
  'ledger',
  'media',
  'accounts',
  'network',
  'spaces',
  'rules',
  'content',
  'search',
  'people',
  'review',
  'desk',
  'live',
  'integrations',
]

/** The features of the front end, which don't import each other. */
export const FEATURES = [
  'appeals',
  'audit',
  'insights',
  'messages',
  'queue',
  'settings',
  'sign-in',
  'spaces',
  'statement',
  'users',
]

/** The floors of `components`, lowest first. A folder imports from its own floor and the floors before it. */
export const FLOORS = [['i18n', 'trpc'], ['ui', 'preferences'], ['keys', 'live'], ['kit'], FEATURES, ['shell']]

/** The rooms of the queue: each imports only what stands before it. */
export const QUEUE_ROOMS = ['state', 'views', 'claims', 'acts', 'item', 'list']
