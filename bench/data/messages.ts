import type { Row, TableRows } from './fill.ts'
import { oneOf, type Random, scatteredId, seededRandom, timestamp } from './random.ts'

/** Written over one year, the same number every day. */
const SAID_FROM = Date.UTC(2025, 6, 1)
const YEAR_MS = 365 * 86_400_000

const CHANNELS = 1_000
const USERS = 5_000
const TAGS = 200
const WORDS = 100_000
const WORDS_A_MESSAGE = 12
const IDEOGRAPHS = 3_000
const FIRST_IDEOGRAPH = 0x4e00

/** Search words that no text contains by chance: each is put into one message out of a given number. */
export const RARE_WORD = 'zanzibar'
export const RARE_PHRASE = 'crimson walrus'
const RARE_EVERY = 50_021
const RARE_PHRASE_EVERY = 20_011

/** The first channel, author and tag are the busiest, and each next one less so. */
export const channelId = (rank: number) => `channel-${rank}`
export const authorId = (rank: number) => `user-${rank}`
export const tagOf = (rank: number) => `tag-${rank}`

/** Channels of 5,000 people with `messages` messages: the same rows on every run. */
export function messagesOf(messages: number): TableRows[] {
  return [
    { table: 'network_user', columns: 'user_id, display_name, created_at', rows: users() },
    {
      table: 'channel',
      columns: 'channel_id, display_name, type, is_public, last_activity, created_at',
      rows: channels(),
    },
    {
      table: 'message',
      columns:
        'message_id, internal_id, channel_id, user_id, type, data, tags, reactions, reactions_count, created_at, updated_at',
      rows: said(messages),
    },
  ]
}

/** The word that occurs in about `hits` messages. */
export function wordSaid(messages: number, hits: number): string {
  const share = hits / (messages * WORDS_A_MESSAGE)
  return vocabulary(seededRandom(messages))[Math.round(1 / (share * Math.log(WORDS)))] ?? ''
}

function* users(): Iterable<Row> {
  for (let user = 0; user < USERS; user += 1) yield [authorId(user), `Person ${user}`, timestamp(SAID_FROM)]
}

/** One of twenty is a conversation, which an admin token doesn't search; one of ten is open to members only. */
function* channels(): Iterable<Row> {
  for (let channel = 0; channel < CHANNELS; channel += 1) {
    const type = channel % 20 === 19 ? 'conversation' : 'community'
    const isPublic = type === 'community' && channel % 10 !== 8 ? 't' : 'f'
    const at = timestamp(SAID_FROM + YEAR_MS - channel * 60_000)
    yield [channelId(channel), `Channel ${channel}`, type, isPublic, at, timestamp(SAID_FROM)]
  }
}

function* said(messages: number): Iterable<Row> {
  const random = seededRandom(messages)
  const words = vocabulary(random)
  for (let number = 0; number < messages; number += 1) {
    const at = timestamp(SAID_FROM + Math.floor((number / messages) * YEAR_MS))
    const id = scatteredId(number)
    const likes = random() < 0.1 ? 1 + Math.floor(random() * 9) : 0
    const author = Math.floor(random() ** 2 * USERS)
    const type = random() < 0.02 ? 'image' : 'text'
    const text = random() < 0.025 ? ideographs(random) : sentence(random, words)
    yield [
      id,
      `${id.slice(0, -1)}f`,
      channelId(Math.floor(random() ** 3 * CHANNELS)),
      authorId(author),
      type,
      `{"text":"${text}${rarity(number)}"}`,
      tags(random),
      likes > 0 ? `{"like":${likes}}` : '{}',
      likes,
      at,
      at,
    ]
  }
}

function rarity(number: number): string {
  if (number % RARE_EVERY === 7) return ` ${RARE_WORD}`
  return number % RARE_PHRASE_EVERY === 7 ? ` ${RARE_PHRASE}` : ''
}

/** From 3 to 60 words, 13 on average, with the frequencies of natural languages: the n-th word has a share of 1/n. */
function sentence(random: Random, words: string[]): string {
  let text = ''
  for (let left = 3 + Math.floor(random() ** 5 * 58); left > 0; left -= 1) {
    const word = words[rankOf(random, words.length)]
    if (text !== '') text += random() < 0.06 ? ', ' : ' '
    text += word
  }
  return text
}

function ideographs(random: Random): string {
  return Array.from({ length: 4 + Math.floor(random() * 20) }, () =>
    String.fromCharCode(FIRST_IDEOGRAPH + rankOf(random, IDEOGRAPHS)),
  ).join('')
}

function rankOf(random: Random, size: number): number {
  return Math.floor(size ** random()) - 1
}

function tags(random: Random): string {
  return random() < 0.5 ? `{${tagOf(Math.floor(random() ** 2 * TAGS))}}` : '{}'
}

/** English words by frequency, then made-up ones, longer the rarer they are. */
const COMMON =
  'the to i and a you it of is that in for have not on be do this with my so but can was just are at like if or me what your we no use get one up all there from how an know when would out about as he then now more some think has they good any why will work need time see does only want them make people here too way which by thing say go did who other really work still well could much should even because'.split(
    ' ',
  )
const ONSETS = 'b c d f g h j k l m n p r s t v w z br ch cl dr gr pl sh st th tr'.split(' ')
const RHYMES = 'a e i o u an ar el en er in is on or um'.split(' ')

function vocabulary(random: Random): string[] {
  const words = new Set(COMMON)
  while (words.size < WORDS) {
    const syllables = 1 + Math.floor(Math.log10(words.size) / 1.5 + random())
    words.add(Array.from({ length: syllables }, () => `${oneOf(ONSETS, random)}${oneOf(RHYMES, random)}`).join(''))
  }
  return [...words]
}
