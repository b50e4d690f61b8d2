import type { Row } from './fill.ts'
import { oneOf, type Random, scatteredId, seededRandom, timestamp } from './random.ts'

const JOINED_FROM = new Date('2019-01-01T00:00:00Z').getTime()
const JOIN_EVERY_MS = 60_000

const GIVEN =
  'Aaliyah Adam Agnes Ahmed Aiko Alejandra Alexander Amara Amelia Ana Andreas Anna Antonio Arjun Astrid Ayşe Beatriz Benjamin Björn Camila Carlos Catherine Charlotte Chen Chloé Christopher Clara Daniel David Deepa Diego Elena Elif Elizabeth Emeka Emma Erik Fatima Felix Fernando Fiona Florian Gabriel George Giulia Grace Hannah Haruto Henrik Hiroshi Ibrahim Ines Ingrid Isabella Ivan Jack Jakub James Jana Jasmin Jean Jessica João Johanna John Jonathan José Julia Kamala Katarzyna Kevin Kofi Kwame Lars Laura Layla Leonardo Li Lina Lucas Magdalena Maria Mark Marta Mateo Matthew Mehmet Mei Michael Miguel Mohammed Nadia Natalia Ngozi Nicole Nikolai Noah Olga Oliver Olivia Omar Pablo Patricia Paul Pedro Peter Priya Rachel Rahul Raúl Rebecca Ricardo Robert Rosa Ryan Samuel Sana Sara Sebastian Sofia Stefan Sven Tariq Tatiana Thomas Valentina Victoria Viktor Wei William Yara Yuki Yusuf Zainab Zoë'.split(
    ' ',
  )
const BEGINNINGS =
  'Al An Ber Bran Car Cor Dal Del Fer Fran Gar Hol Kar Kow Lan Lin Mac Mar Mor Nak Ol Pet Ran Ros Sal Sch San Tan Vel Wal'.split(
    ' ',
  )
const MIDDLES = 'a al an ar el en er i il in is o ol on or u ul un ur ew'.split(' ')
const ENDINGS =
  'berg bert czyk da dez do field ford gren kov ley lini lund mann mura nen ner ović ra rez ro sen ski son ston tov va vis wall wood'.split(
    ' ',
  )

/** A prefix that a hundred thousand names share, as in a wiki. */
const NICKNAMES = ['Editor', 'Guest']
const NICKNAMED = 0.2
const COMMON_FIRST = 1.5

/** `count` people with names from around the world, some far more common than others; the same on every run. */
export function* samplePeople(count: number): Iterable<Row> {
  const random = seededRandom(count)
  for (let number = 0; number < count; number += 1) {
    const name = random() < NICKNAMED ? `${oneOf(NICKNAMES, random, COMMON_FIRST)} ${number}` : fullName(random)
    const handle = `${name.toLowerCase().replaceAll(' ', '.')}.${number}`
    yield [personId(number), scatteredId(number), name, handle, timestamp(JOINED_FROM + number * JOIN_EVERY_MS)]
  }
}

export function personId(number: number): string {
  return `member-${number}`
}

function fullName(random: Random): string {
  const family = [BEGINNINGS, MIDDLES, MIDDLES, ENDINGS].map((parts) => oneOf(parts, random, COMMON_FIRST))
  const isShort = random() < 0.5
  return `${oneOf(GIVEN, random, COMMON_FIRST)} ${(isShort ? [family[0], family[1], family[3]] : family).join('')}`
}
