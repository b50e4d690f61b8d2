/**
 * Endings of domains that hardly anybody writes by accident: no file ends like this, and no sentence begins like this after a dot without a space.
 * *md*, *py*, *so*, *my*, *it* and others are left out: those count with a path, with `www.`, or where a rule names the domain.
 */
const ENDINGS = new Set(
  `com net org edu gov mil info biz name mobi aero asia jobs travel museum coop pro tel
  app dev shop store online site website space tech club xyz top icu vip blog cloud live life world news email
  link click download stream bet casino poker games dating sex porn xxx adult loan loans credit cash money finance bid trade
  agency digital media social network services solutions support company group team studio design photo photos video
  academy school training expert guru reviews review today
  ac ae ar au bd bg br ca cc ch cl cn cz de dk ec ee eg es eu fi fr gg ge gr hk hr hu il io ir jp ke kr kz lt lu lv ma mx ng nl nz
  pe pk pl pt qa ro ru sa se sg si sk su th tk tr tv tw ua ug uk uy uz vn za
  рф укр бел срб ею`.split(/\s+/),
)

/** In small letters or in capitals: *done.De* is the beginning of a sentence. */
export function isEnding(ending: string): boolean {
  const isOneCase = ending === ending.toLowerCase() || ending === ending.toUpperCase()
  return isOneCase && (ENDINGS.has(ending.toLowerCase()) || /^xn--/i.test(ending))
}
