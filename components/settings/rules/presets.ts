import type { PresetId } from '#components/kit/addresses/rules-search.ts'
import type { Condition } from '#server/modules/rules/conditions/schema.ts'
import type { RuleAction } from '#server/modules/rules/registry/schema.ts'

interface Preset {
  severity: RuleAction['severity']
  condition: Condition
}

const words = (list: string, match: 'word' | 'part' = 'word'): Condition => ({
  kind: 'words',
  words: list
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean),
  match,
  spelling: 'similar',
})
const all = (...conditions: Condition[]): Condition => ({ kind: 'all', conditions })
const any = (...conditions: Condition[]): Condition => ({ kind: 'any', conditions })

/** Insults of groups of people, without those that are also ordinary words or names. */
const SLURS = {
  en: `
    nigger
    niggers
    nigga
    coon ass
    porch monkey
    sand nigger
    towelhead
    raghead
    wetback
    beaner
    gook
    chink
    chinks
    zipperhead
    kike
    kikes
    faggot
    faggots
    fag
    tranny
    trannies
    shemale
    retard
    retarded
    spastic
    white trash`,
  de: `
    Kanake
    Kanaken
    Kanacke
    Neger
    Negerlein
    Bimbo
    Schlitzauge
    Schlitzaugen
    Kameltreiber
    Ziegenficker
    Zigeunerpack
    Zigeunerbrut
    Drecksjude
    Judensau
    Saujude
    Drecksausländer
    Scheißausländer
    Untermensch
    Untermenschen
    Schwuchtel
    Schwuchteln
    Kampflesbe
    Transe
    Spasti
    Spasten
    Mongo`,
  ar: `
    زنجي
    زنوج
    عبيد سود
    يا عبد
    يا عبدة
    يهودي قذر
    كلاب اليهود
    أحفاد القردة والخنازير
    رافضي نجس
    روافض أنجاس
    ناصبي نجس
    مجوسي نجس
    نصيري نجس
    صليبي حقير
    عباد الصليب
    شواذ أنجاس
    لوطي
    خول
    مخنث
    منغولي
    بدون أصل
    لاجئين زبالة`,
}

const PROMISES = `
  double your bitcoin
  double your money
  double your investment
  guaranteed profit
  guaranteed returns
  guaranteed income
  risk free investment
  passive income from home
  make money from home
  work from home and earn
  earn per day
  financial freedom
  trading signals
  forex trader
  crypto giveaway
  free crypto
  free nitro
  claim your prize
  claim your reward
  you have been selected
  recover your lost funds
  recovery expert
  send me your seed phrase
  Geld verdoppeln
  garantierter Gewinn
  garantierte Rendite
  schnelles Geld
  von zu Hause verdienen
  passives Einkommen
  Sie haben gewonnen
  Gewinn abholen
  Kredit ohne Schufa
  ربح مضمون
  أرباح مضمونة
  ضاعف أموالك
  دخل إضافي من المنزل
  اربح المال من المنزل
  لقد ربحت جائزة
  استلم جائزتك
  استثمار مضمون
  استرداد أموالك`

const ELSEWHERE = `
  whatsapp
  telegram
  message me on
  text me on
  dm me for
  inbox me
  contact me via
  add me on
  schreib mir auf
  schreibt mir auf
  melde dich bei mir
  kontaktiere mich
  privat schreiben
  واتساب
  تلجرام
  تيليجرام
  تواصل معي
  راسلني على
  للتواصل خاص`

const CHATS = [
  't.me',
  'telegram.me',
  'wa.me',
  'chat.whatsapp.com',
  'api.whatsapp.com',
  'discord.gg',
  'signal.me',
  'line.me',
]

const PAYMENTS = [
  'paypal.me',
  'cash.app',
  'venmo.com',
  'revolut.me',
  'wise.com',
  'ko-fi.com',
  'binance.com',
  'bybit.com',
  'coinbase.com',
  'crypto.com',
  'kucoin.com',
  'okx.com',
  'tronscan.org',
]

/** Addresses of Bitcoin, Ethereum and Tron. */
const WALLET: Condition = {
  kind: 'pattern',
  pattern: String.raw`\b(?:bc1[a-z0-9]{20}|0x[0-9a-fA-F]{30}|T[1-9A-HJ-NP-Za-km-z]{33}\b)`,
  isCaseSensitive: true,
}

const IS_NEW = any({ kind: 'accountAge', underDays: 7 }, { kind: 'contributions', fewerThan: 3 })

/** What each preset starts a rule with. Its lists are short and begin small: people change them before they test the rule. All hold for review. */
export const PRESETS: Record<PresetId, Preset> = {
  slursEn: { severity: 'high', condition: words(SLURS.en) },
  slursDe: { severity: 'high', condition: words(SLURS.de) },
  slursAr: { severity: 'high', condition: words(SLURS.ar) },
  newLinks: { severity: 'medium', condition: all({ kind: 'links', atLeast: 1 }, IS_NEW) },
  // How many new accounts there are isn't a condition: what they have in common is.
  raid: {
    severity: 'high',
    condition: all(
      IS_NEW,
      any(
        { kind: 'rate', by: 'link', moreThan: 3, withinMinutes: 10 },
        { kind: 'rate', by: 'domain', moreThan: 5, withinMinutes: 10 },
        { kind: 'rate', by: 'author', moreThan: 5, withinMinutes: 10 },
        { kind: 'similarity', similarAtLeast: 0.7, withinDays: 1, times: 1 },
        { kind: 'mentions', atLeast: 5 },
      ),
    ),
  },
  scams: {
    severity: 'high',
    condition: any(
      all(
        words(PROMISES),
        any(
          words(ELSEWHERE),
          { kind: 'links', atLeast: 1 },
          WALLET,
          { kind: 'accountAge', underDays: 30 },
          { kind: 'contributions', fewerThan: 5 },
        ),
      ),
      all(
        any(
          { kind: 'domains', domains: CHATS, isListed: true },
          { kind: 'domains', domains: PAYMENTS, isListed: true },
          WALLET,
        ),
        any({ kind: 'accountAge', underDays: 30 }, { kind: 'contributions', fewerThan: 5 }),
      ),
    ),
  },
}
