import Papa from 'papaparse'
import type { ColumnMeaning } from '#contract/crm/contact-imports.ts'
import { withoutBlanksBeforeQuotes } from './csv-quotes.ts'

export type Meaning = Exclude<ColumnMeaning, 'ignore'>

/** The meaning of each column, best first: an export may have three phone numbers. */
export type Columns = Partial<Record<Meaning, number[]>>

/** `headerLine` is the line of the column names, from 1; 0 for a file without one. */
export type CsvHead = { delimiter: string; headerLine: number; names: string[] }

const DELIMITERS = [',', ';', '\t', '|']
/** Some exports put notes or a separator above the column names. */
const HEADER_WITHIN_LINES = 10
/** Characters of such a line that are read: no file has so many columns. */
const HEADER_LINE_MAX = 50_000

// Column names of spreadsheets, address books and other programs, in our users' languages, normalized by `plain`.
// Google numbers its own ("E-mail 1 - Value").
const NAMES: Record<Meaning, string> = {
  name: 'name|full name|contact name|contact|display name|file as|vollständiger name|anzeigename|kontakt|nom complet|nom et prénom|nombre completo|nome completo|volledige naam|naam|imię i nazwisko|nazwa|jméno|имя|фио|姓名|氏名|名前|이름',
  first_name:
    'first name|firstname|given name|forename|vorname|prénom|prenom|nombre|nome|voornaam|imię|primer nombre|etunimi|förnamn|fornavn',
  middle_name: 'middle name|additional name|zweiter vorname|deuxième prénom|segundo nombre|tussenvoegsel',
  last_name:
    'last name|lastname|family name|surname|nachname|familienname|nom|nom de famille|apellido|apellidos|cognome|sobrenome|apelido|achternaam|nazwisko|sukunimi|efternamn|etternavn',
  email:
    'email|e mail|email address|e mail address|email adresse|e mail adresse|mail|mail address|mailadresse|work email|business email|primary email|contact email|email 1|e mail 1|email 1 value|e mail 1 value|home email|personal email|secondary email|additional email|email 2 value|e mail 2 value|e mail 2 address|e mail 3 address|adresse email|adresse e mail|adresse mail|courriel|adresse électronique|correo|correo electrónico|correo electronico|dirección de correo electrónico|dirección de correo|indirizzo email|indirizzo e mail|posta elettronica|endereço de email|endereço de e mail|emailadres|e mailadres|adres e mail|adres email|sähköposti|epost|e post|e postadress|e postadresse|электронная почта|почта|эл почта|メール|メールアドレス|电子邮件|邮箱|电子邮箱|이메일',
  company:
    'company|company name|organization|organisation|organization name|organization 1 name|account|account name|business|business name|employer|firma|firmenname|unternehmen|organisationsname|société|societe|entreprise|organisme|empresa|compañía|organización|azienda|società|ditta|organizzazione|organização|bedrijf|bedrijfsnaam|organisatie|yritys|företag|компания|организация|会社|会社名|公司|회사',
  phone:
    'phone|phone number|telephone|tel|mobile|mobile phone|cell|cell phone|business phone|work phone|primary phone|company main phone|phone 1 value|mobile number|home phone|other phone|phone 2 value|telefon|telefonnummer|telefon geschäftlich|mobil|mobiltelefon|handy|handynummer|téléphone|telephone|numéro de téléphone|portable|mobile phone number|teléfono|telefono|móvil|celular|cellulare|telefone|telemóvel|telefoon|telefoonnummer|mobiel|puhelin|телефон|電話|電話番号|电话|手机|전화',
  position:
    'position|job title|jobtitle|title|role|job|occupation|organization title|organization 1 title|stelle|funktion|berufsbezeichnung|jobtitel|rolle|poste|fonction|titre|intitulé du poste|cargo|puesto|título|ruolo|posizione|qualifica|função|functie|functietitel|stanowisko|tehtävä|befattning|stilling|должность|役職|职位|직책',
  notes:
    'notes|note|comment|comments|remarks|description|notizen|notiz|bemerkung|bemerkungen|kommentar|remarques|commentaire|commentaires|notas|nota|comentarios|commenti|observações|opmerkingen|notities|notatki|muistiinpanot|anteckningar|заметки|примечание|комментарий|備考|备注|메모',
  status: 'status|contact status|estado|stato|statut|état|статус',
  tags: 'tags|tag|labels|label|categories|category|groups|group|group membership|schlagworte|schlagwörter|kategorien|kategorie|gruppen|étiquettes|catégories|etiquetas|categorías|etichette|categorie|labels and groups',
}

const MEANINGS = new Map<string, { meaning: Meaning; rank: number }>(
  (Object.keys(NAMES) as Meaning[]).flatMap((meaning) =>
    NAMES[meaning].split('|').map((name, rank) => [plain(name), { meaning, rank }] as const),
  ),
)

/** A column's name without what differs between programs: case, accents, dashes, blanks. */
function plain(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}]+/gu, ' ')
    .trim()
}

/**
 * Derives a file's layout from its first lines: the delimiter with which a line of column names has an e-mail column,
 * or else the one that splits the first line into most columns.
 */
export function headOf(text: string): CsvHead {
  const declared = /^sep=(.)\n/i.exec(text)?.[1]
  const lines = text.split('\n', HEADER_WITHIN_LINES).map((line) => line.slice(0, HEADER_LINE_MAX))
  if (declared !== undefined) lines[0] = ''
  const heads = (declared === undefined ? DELIMITERS : [declared]).map((delimiter) =>
    headWith(lines, delimiter),
  )
  return heads.reduce((best, next) => (worth(next) > worth(best) ? next : best))
}

/** Recognised columns count most, then columns of any kind. */
function worth({ names }: CsvHead): number {
  const columns = columnsOf(names)
  return (columns.email === undefined ? 0 : Object.values(columns).flat().length * 1000) + names.length
}

function headWith(lines: readonly string[], delimiter: string): CsvHead {
  const rows = lines.map(
    (line) => Papa.parse<string[]>(withoutBlanksBeforeQuotes(line, delimiter), { delimiter }).data[0] ?? [],
  )
  const named = rows.findIndex((names) => columnsOf(names).email !== undefined)
  const at = named < 0 ? rows.findIndex((names) => names.some((name) => name.trim() !== '')) : named
  return { delimiter, headerLine: at + 1, names: rows[at] ?? [] }
}

/** The meaning of columns with these names, each used once; null for an unknown name. */
export function meaningsOf(names: readonly string[]): (Meaning | null)[] {
  const found = names.map((name) => MEANINGS.get(plain(name))?.meaning ?? null)
  // "Nom" and "Nombre" can stand next to the other half of a name; alone they mean the whole name.
  if (found.includes('name') || found.includes('first_name')) return found
  return found.map((meaning) => (meaning === 'last_name' ? 'name' : meaning))
}

/**
 * Which columns hold what, given the meaning of each; of several with one meaning, the better known name comes first.
 */
export function columnsFor(names: readonly string[], meanings: readonly (ColumnMeaning | null)[]): Columns {
  const columns: Columns = {}
  for (const { meaning, column } of meanings
    .map((meaning, column) => ({ meaning, column, rank: rankOf(names[column] ?? '') }))
    .sort((one, other) => one.rank - other.rank)) {
    if (meaning !== null && meaning !== 'ignore') (columns[meaning] ??= []).push(column)
  }
  return columns
}

const rankOf = (name: string) => MEANINGS.get(plain(name))?.rank ?? MEANINGS.size

/** The meanings of columns with these names. */
export function columnsOf(names: readonly string[]): Columns {
  return columnsFor(names, meaningsOf(names))
}
