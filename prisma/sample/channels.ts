import type { Person } from './people.ts'

export interface Chat {
  channelId: string
  channelType: 'community' | 'live'
  displayName: string
  tags: string[]
  moderator: Person
  /** Minutes between one message and the next; the last was sent two minutes ago. */
  pace: number
  messages: [by: Person, text: string][]
}

export const CHATS: Chat[] = [
  {
    channelId: 'harbour-watch',
    channelType: 'community',
    displayName: 'Harbour watch',
    tags: ['weather', 'harbour'],
    moderator: 'gwen-pritchard',
    pace: 37,
    messages: [
      ['gwen-pritchard', 'Morning all. Wind from the south-west, five and rising. Double your lines.'],
      ['tane-parata', 'Done. The green dinghy by the steps is on one cleat only, does anyone know whose it is?'],
      ['isla-mackay', 'My brother’s. I will go down.'],
      ['isla-mackay', 'Tied. He owes me a cake.'],
      ['dmytro-koval', 'The fuel pontoon is closed until noon, they are changing a hose.'],
      ['somchai-jaidee', 'ขอบคุณครับ จะรอช่วงบ่าย'],
      ['luca-moretti', 'Is the sauna boat going out in this?'],
      ['gwen-pritchard', 'No, and I say that as somebody who owns a share in it.'],
      ['rosa-quispe', 'Se ve niebla desde el faro, ya casi no distingo la boya roja.'],
      ['joaquin-ibarra', 'Gracias, Rosa. Se lo digo a los del taller.'],
      ['olu-adeyemi', 'Ferry is running, ten minutes late.'],
      ['leila-benali', 'The 12:40 as well?'],
      ['olu-adeyemi', 'That one is on time, for a change.'],
      ['best-deals-24', 'Boat insurance half price today https://best-deals-24.example/boats'],
      ['tane-parata', 'Not this again.'],
      ['gwen-pritchard', 'Reported. Carry on.'],
      ['haruto-sato', '防波堤の灯りが一つ消えています。内側から三番目です。'],
      ['gwen-pritchard', 'Thank you! Third from the inside, I have told the port.'],
      ['wei-zhang', '风好像小一点了。'],
      ['kalinda-walker', 'Seals on the sandbank, eleven of them. 🦭'],
      ['isla-mackay', 'Keep the dogs up on the wall, please.'],
      ['dmytro-koval', 'Hose changed, pontoon open.'],
    ],
  },
  {
    channelId: 'friday-bake',
    channelType: 'live',
    displayName: 'Friday bake, live',
    tags: ['bread', 'live'],
    moderator: 'hana-novakova',
    pace: 2,
    messages: [
      ['hana-novakova', 'We are live! Two loaves today, one patient, one not.'],
      ['chiara-bellini', 'Ciao a tutti 👋'],
      ['emeka-nwosu', 'Sound is good, picture is a bit flour.'],
      ['hana-novakova', 'That is the lens. And the flour.'],
      ['ji-woo-han', '물은 몇 도예요?'],
      ['hana-novakova', '28 degrees, a little less if your kitchen is warm.'],
      ['yusuf-demir', 'Why the second pinch of salt?'],
      ['hana-novakova', 'Because I forgot whether there was a first one.'],
      ['pooja-nair', 'Honesty. This is why we watch.'],
      ['priya-sharma', 'क्या पूरा गेहूँ भी चलेगा?'],
      ['hana-novakova', 'Yes, up to a third, and two spoons more water.'],
      ['crypto-kevin', 'who wants to make REAL dough 💸'],
      ['chiara-bellini', 'Kevin, no.'],
      ['marek-zielinski', 'Fold it once more before you shape it.'],
      ['nia-thomas', 'He is right, you know.'],
      ['hana-novakova', 'He is always right. It is very annoying.'],
      ['amara-okafor', 'I can smell it from here and I am four streets away.'],
      ['bjorn-lindqvist', 'Oven in ten minutes?'],
      ['hana-novakova', 'Oven in ten minutes. Do not go away.'],
    ],
  },
]
