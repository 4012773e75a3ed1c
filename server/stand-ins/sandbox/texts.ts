import type { Random } from './random.ts'

/** The trade of a business; it determines its customers' texts. */
export type Trade = 'prints' | 'catering'

type List = readonly [string, ...string[]]

const items: Record<Trade, List> = {
  prints: [
    'tarpaulin 3x5 ft',
    'tarpaulin 4x6 ft',
    'sticker labels',
    'calling cards',
    'lanyard at ID',
    'mug print',
    'invitation cards',
    'T-shirt print',
    'PVC ID',
    'souvenir keychains',
  ],
  catering: [
    'pancit bilao',
    'lechon belly',
    'lumpia tray',
    'packed lunch',
    'chicken inasal tray',
    'kare-kare good for 20',
    'leche flan',
    'puto at kutsinta',
    'beef caldereta tray',
    'buko pandan',
  ],
}
const events: List = [
  'birthday ng anak ko',
  'binyag',
  'debut',
  'kasal',
  'graduation',
  'fiesta namin',
  'team building',
  'church event',
  'reunion',
  'office party',
]
const places: List = ['Marikina', 'Cainta', 'Pasig', 'Antipolo', 'Quezon City', 'San Mateo', 'Taytay', 'Mandaluyong']
const days: List = [
  'bukas',
  'sa Sabado',
  'sa Linggo',
  'next week',
  'sa Biyernes',
  'sa katapusan',
  'on the 15th',
  'mamayang hapon',
]

const questions: Record<Trade, List> = {
  prints: [
    'Hi po, magkano po ang {item}?',
    'Good morning po! How much po pag {count} pcs ng {item}?',
    'Pwede po ba rush ang {item}? Kailangan ko po {day}.',
    'Available pa po ba kayo for {event}? Need po namin ng {item}.',
    'Kayo na po ba gagawa ng layout or may bayad pa po?',
    'Ano po file format kailangan niyo? PDF po or JPEG?',
    'May sample po ba kayo ng {item}?',
    'Matte po ba or glossy yung {item} niyo?',
  ],
  catering: [
    'Hello po! Magkano po ang {item}?',
    'Good pm po, pa-quote naman po for {count} pax, {event} po.',
    'Hanggang saan po ang delivery niyo? Taga {place} po ako.',
    'Available po ba kayo {day}? For {event} po sana.',
    'Pwede po ba walang mani? May allergy po kasi ang isang bisita.',
    'Good for how many po ang {item}?',
    'May package po ba kayo for {count} persons kasama na drinks?',
    'Pwede po ba mag dagdag ng {item} sa order namin?',
  ],
}
const answers: Record<Trade, List> = {
  prints: [
    'Hello po! ₱{price} po ang {item}, kasama na po ang basic layout.',
    'Good day po! Pag {count} pcs po, ₱{price} each. Minimum order po is 10.',
    'Yes po, kaya po ng rush, may additional ₱150 lang po. Ready by 5 PM.',
    'PDF or high-res JPEG po para malinaw ang print 😊',
    'Matte and glossy po pareho available, same price lang po.',
    'Send niyo lang po ang details dito at gawan po namin ng layout.',
  ],
  catering: [
    'Hello po! ₱{price} po ang {item}, good for 10–12 pax.',
    'Good day po! For {count} pax, ₱{price} per head na po with rice and drinks.',
    'Yes po, nagde-deliver po kami sa {place}. ₱200 po ang delivery fee.',
    'Available pa po kami {day}. Para ma-reserve, 50% downpayment po.',
    'Pwede po, gagawin po naming walang mani. Noted po!',
    'Sige po, dagdag na po namin ang {item} sa order niyo.',
  ],
}
const followUps: List = [
  'Sige po, go na po ako.',
  'Okay po, order po ako ng {count}.',
  'Pwede po ba COD?',
  'Saan po ba kayo banda? Pwede po pick up?',
  'Ano po GCash number niyo?',
  'Na-send ko na po ang 50% downpayment, pa-check po.',
  'Ito po yung peg ko 👆',
  'Pa-confirm po kung na-receive niyo.',
  'Mga anong oras po pwede i-pick up {day}?',
  'Pabago po ng pangalan, Ma. Theresa po with dot.',
  'Ok na po yung layout, approve na po. Salamat!',
  'Medyo malabo po yung logo, may mas malinaw po ako na file, wait lang po.',
  'May discount po ba pag {count} na?',
  'Hello po, any update po sa order ko?',
  'Naku late na po pala, {day} na lang po.',
  '2pm po, sa {place} po ang deliver. Landmark po tapat ng simbahan.',
]
const replies: List = [
  'Sige po, noted. Pa-send na lang po ng full name at contact number.',
  'Pwede po COD within Metro Manila.',
  'GCash po 09xx xxx 0123, pa-send po ng screenshot after payment 🙏',
  'Received na po ang downpayment, salamat po!',
  'Ready for pick up na po {day}, 9 AM to 6 PM po kami open.',
  'Na-update na po ang layout, pa-check po kung ok na.',
  'Opo, may 10% discount po pag {count} pataas.',
  'On the way na po ang rider, mga 30 minutes po.',
  'Pasensya na po sa delay, mahaba po ang pila ngayon. Matatapos po {day}.',
  'Salamat po! Order po ulit kayo 😊',
]
const thanks: List = [
  'Thank you po! Ang ganda ng gawa niyo 😍',
  'Salamat po, natanggap na po namin. Sarap po!',
  'Maraming salamat po, sa uulitin!',
  'Ok po thank you',
  'Ganda po ng print, nagustuhan ng boss ko. Order po ulit kami next month.',
  'Sige po salamat, God bless po 🙏',
]
const captions: List = [
  'Ito po yung design',
  'Ganito po sana',
  'Eto po screenshot ng payment',
  'Pa-check po ng file',
  '',
]

/** The topic that all messages of one conversation share. */
export type Topic = { trade: Trade; item: string; count: number; event: string; place: string; day: string }

export function inventTopic(random: Random, trade: Trade): Topic {
  return {
    trade,
    item: random.pick(items[trade]),
    count: random.pick([10, 15, 20, 30, 50, 80, 100, 150]),
    event: random.pick(events),
    place: random.pick(places),
    day: random.pick(days),
  }
}

function fill(text: string, random: Random, topic: Topic): string {
  return text
    .replace('{item}', topic.item)
    .replace('{count}', String(topic.count))
    .replace('{event}', topic.event)
    .replace('{place}', topic.place)
    .replace('{day}', topic.day)
    .replace('{price}', String(random.pick([120, 180, 250, 350, 480, 650, 850, 1_200, 1_850])))
}

/** The texts of a conversation, by their place in it. */
export const say = {
  question: (random: Random, topic: Topic) => fill(random.pick(questions[topic.trade]), random, topic),
  answer: (random: Random, topic: Topic) => fill(random.pick(answers[topic.trade]), random, topic),
  followUp: (random: Random, topic: Topic) => fill(random.pick(followUps), random, topic),
  reply: (random: Random, topic: Topic) => fill(random.pick(replies), random, topic),
  thanks: (random: Random, topic: Topic) => fill(random.pick(thanks), random, topic),
  caption: (random: Random) => random.pick(captions),
}

const givenNames: List = [
  'Maria',
  'Jose',
  'Ana',
  'Juan',
  'Rosario',
  'Mark',
  'Angelica',
  'Jerome',
  'Kristine',
  'Paolo',
  'Liza',
  'Rodel',
  'Marites',
  'Jayson',
  'Cherry',
  'Arnel',
  'Grace',
  'Dennis',
  'Joy',
  'Ramil',
  'Jessa',
  'Bong',
  'Princess',
  'Noel',
  'Aileen',
  'Vincent',
  'Rowena',
  'Carlo',
  'Mylene',
  'Erwin',
  'Lovely',
  'Gilbert',
  'Sheila',
  'Ronnie',
  'Camille',
  'Allan',
  'Divina',
  'Jomar',
  'Ivy',
  'Edwin',
]
const familyNames: List = [
  'Santos',
  'Reyes',
  'Cruz',
  'Bautista',
  'Ocampo',
  'Garcia',
  'Mendoza',
  'Torres',
  'Tomas',
  'Andrada',
  'Castillo',
  'Flores',
  'Villanueva',
  'Ramos',
  'Castro',
  'Rivera',
  'Aquino',
  'Navarro',
  'Salazar',
  'Mercado',
  'Dela Cruz',
  'Del Rosario',
  'De Guzman',
  'San Juan',
  'Magsaysay',
  'Macaraeg',
  'Dimaculangan',
  'Pangilinan',
  'Lacsamana',
  'Batungbakal',
  'Catacutan',
  'Manalo',
  'Evangelista',
  'Soriano',
  'Valdez',
  'Abad',
  'Buenaventura',
  'Custodio',
  'Espiritu',
  'Fajardo',
]
const companies: List = [
  'Sampaguita Trading',
  'Bayani Hardware',
  'Tala Events',
  'Kapitolyo Dental Clinic',
  'Mabuhay Travel',
  'St. Anne Learning Center',
  'Agila Security Services',
  'Luntian Farms',
  'Barangay San Roque',
  'Hiraya Salon',
]

export type FullName = { first: string; last: string }

export const invent = {
  name: (random: Random): FullName => ({ first: random.pick(givenNames), last: random.pick(familyNames) }),
  company: (random: Random) => random.pick(companies),
  item: (random: Random, trade: Trade) => random.pick(items[trade]),
}
