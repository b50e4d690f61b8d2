/** What notifications say, in one language. Names are isolated where the text runs the other way. */
interface Words {
  escalated(place: string | null, by: string | null): string
  escalatedInRoom(place: string | null, by: string | null): string
  reports(place: string | null, count: number): string
  overdue(place: string, count: string): string
  rules(name: string): string
  failing(host: string): string
  off(host: string): string
  /** Of several notifications together. */
  several(count: number): string
  more(count: number): string
  stop: string
  settings: string
  test: { subject: string; text: string }
  roomTest: string
}

const isolated = (name: string) => `\u2068${name}\u2069`

/** Counts stand after a colon, so that no language needs its plurals. */
export const WORDS: Record<'en' | 'de' | 'ar', Words> = {
  en: {
    escalated: (place, by) =>
      `An item${place === null ? '' : ` in ${place}`} was handed to you${by === null ? '' : ` (escalated by ${by})`}`,
    escalatedInRoom: (place, by) =>
      `An item${place === null ? '' : ` in ${place}`} was escalated${by === null ? '' : ` by ${by}`}`,
    reports: (place, count) => `Reports on an item${place === null ? '' : ` in ${place}`}: ${count}`,
    overdue: (place, count) => `Overdue items in ${place}: ${count}`,
    rules: (name) => `The rule “${name}” went back to shadow`,
    failing: (host) => `Webhook deliveries to ${host} are failing`,
    off: (host) => `The webhook endpoint ${host} is off because its deliveries failed`,
    several: (count) => `Notifications: ${count}`,
    more: (count) => `More: ${count}`,
    stop: 'Stop these mails:',
    settings: 'Choose your notifications:',
    test: { subject: 'Test mail from Docket', text: 'Docket can send mail with these settings.' },
    roomTest: 'Test from Docket: notifications can be posted to this room',
  },
  de: {
    escalated: (place, by) =>
      `Ihnen wurde ein Eintrag${place === null ? '' : ` in ${place}`} übergeben${by === null ? '' : ` (eskaliert von ${by})`}`,
    escalatedInRoom: (place, by) =>
      `Ein Eintrag${place === null ? '' : ` in ${place}`} wurde eskaliert${by === null ? '' : ` von ${by}`}`,
    reports: (place, count) => `Meldungen zu einem Eintrag${place === null ? '' : ` in ${place}`}: ${count}`,
    overdue: (place, count) => `Überfällige Einträge in ${place}: ${count}`,
    rules: (name) => `Die Regel „${name}“ ist wieder im Probebetrieb`,
    failing: (host) => `Webhook-Zustellungen an ${host} schlagen fehl`,
    off: (host) => `Der Webhook-Endpunkt ${host} ist aus, weil Zustellungen fehlschlugen`,
    several: (count) => `Benachrichtigungen: ${count}`,
    more: (count) => `Weitere: ${count}`,
    stop: 'Diese Mails abbestellen:',
    settings: 'Benachrichtigungen einstellen:',
    test: { subject: 'Test-Mail von Docket', text: 'Docket kann mit diesen Einstellungen Mails senden.' },
    roomTest: 'Test von Docket: Benachrichtigungen können in diesem Raum erscheinen',
  },
  ar: {
    escalated: (place, by) =>
      `أُسند إليك عنصر${place === null ? '' : ` في ${isolated(place)}`}${by === null ? '' : ` (صعّده ${isolated(by)})`}`,
    escalatedInRoom: (place, by) =>
      `صُعّد عنصر${place === null ? '' : ` في ${isolated(place)}`}${by === null ? '' : ` بواسطة ${isolated(by)}`}`,
    reports: (place, count) => `بلاغات عن عنصر${place === null ? '' : ` في ${isolated(place)}`}: ${count}`,
    overdue: (place, count) => `عناصر متأخرة في ${isolated(place)}: ${count}`,
    rules: (name) => `عادت القاعدة «${isolated(name)}» إلى التشغيل التجريبي`,
    failing: (host) => `يتعذّر تسليم الويب هوك إلى ${isolated(host)}`,
    off: (host) => `أُوقفت نقطة الويب هوك ${isolated(host)} لأن عمليات التسليم إليها فشلت`,
    several: (count) => `إشعارات: ${count}`,
    more: (count) => `المزيد: ${count}`,
    stop: 'لإيقاف هذه الرسائل:',
    settings: 'لاختيار ما تُبلَّغ به:',
    test: { subject: 'رسالة تجريبية من Docket', text: 'يستطيع Docket إرسال البريد بهذه الإعدادات.' },
    roomTest: 'اختبار من Docket: يمكن نشر الإشعارات في هذه الغرفة',
  },
}
