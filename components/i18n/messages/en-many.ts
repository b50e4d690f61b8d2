/** The words of deciding many at once: they come with it, when it is first asked for. */
export const many = {
  label: 'What is selected',
  moreMatch: 'More match: these are the newest {count, number}.',
  notOpen: '{count, plural, one {# of them is} other {# of them are}} not yours to decide.',
  clear: 'Clear',
  close: 'Close',
  tryAgain: 'Try again',
  do: { approved: 'Approve {count, number}', rejected: 'Reject {count, number}' },
  title: { approved: 'Approve {count, number}', rejected: 'Reject {count, number}' },
  looking: 'Looking at what can be done …',
  will: {
    approved:
      '{count, plural, =0 {None of them can be approved:} one {# will be approved{refused, plural, =0 {.} other {. # cannot be:}}} other {# will be approved{refused, plural, =0 {.} other {. # cannot be:}}}}',
    rejected:
      '{count, plural, =0 {None of them can be rejected:} one {# will be rejected{refused, plural, =0 {.} other {. # cannot be:}}} other {# will be rejected{refused, plural, =0 {.} other {. # cannot be:}}}}',
  },
  means: {
    approved: 'Everyone sees them then. Until ten seconds after the last one is done, one undo takes all of it back.',
    rejected: 'They are deleted then. Until ten seconds after the last one is done, one undo takes all of it back.',
  },
  list: {
    approved: '{count, plural, one {# that will be approved} other {# that will be approved}}',
    rejected: '{count, plural, one {# that will be rejected} other {# that will be rejected}}',
  },
  exceptions: 'What cannot be done, and why',
  reason: '{count, number}: {reason}',
  why: {
    own: '{count, plural, one {you wrote it yourself} other {you wrote them yourself}}',
    decided: {
      approved: '{who} approved {count, plural, one {it} other {them}} meanwhile',
      rejected: '{who} rejected {count, plural, one {it} other {them}} meanwhile',
    },
    changed:
      '{count, plural, one {it has} other {they have}} changed since you selected {count, plural, one {it} other {them}}',
    gone: '{count, plural, one {it is} other {they are}} not there any more',
    refused: '{count, plural, one {it} other {they}} could not be done',
  },
  noWords: 'No words',
  slip: 'Many at once',
  soMany: '<b>{count, number} of {total, number}</b>',
  takingBack: 'Taking back: <b>{count, number} of {total, number}</b>',
  takenBack: 'Taken back: <b>{count, number}</b>',
  allWait: 'They wait again, each in its old place.',
  nobodyIsTold: 'Nobody is told for {seconds, number} s',
  nobodyYet: 'Nobody is told before all of it is done.',
  toGo: 'about {seconds, number} s to go',
  stands: 'Begun {time}. It stands, and is told.',
  abandoned:
    '{count, plural, one {# was} other {# were}} not begun, and {count, plural, one {waits} other {wait}} as before.',
  cut: 'The server is not reached. It goes on by itself, and here you see what it did.',
  lost: 'The server does not say how far it is. It goes on by itself: look again later.',
  undo: 'Undo',
  undoOf: 'for all {count, number}',
  dismiss: 'Dismiss',
  progress: 'Deciding',
  progressBack: 'Taking back',
  progressText: '{count, number} of {total, number}',
  stayed: '{count, plural, one {# stays as it is:} other {# stay as they are:}}',
  notBack: '{count, plural, one {# could not be taken back:} other {# could not be taken back:}}',
  said: {
    begun: { approved: 'Approving {count, number}.', rejected: 'Rejecting {count, number}.' },
    done: {
      approved: 'Approved {count, number}. For ten seconds all of it can be taken back.',
      rejected: 'Rejected {count, number}. For ten seconds all of it can be taken back.',
    },
    refused: '{count, plural, one {# was left as it is.} other {# were left as they are.}}',
    takingBack: 'Taking all of it back.',
    takenBack: 'Taken back: {count, number}.',
    tooLate: 'Too late: it stands.',
    undoLost: 'The server was not reached: it is not taken back yet. Try again.',
  },
} as const
