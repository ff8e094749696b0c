import Papa from 'papaparse'

/** What a column may hold; the parts of a name are put together. */
export type Meaning =
  | 'name'
  | 'first_name'
  | 'middle_name'
  | 'last_name'
  | 'email'
  | 'company'
  | 'phone'
  | 'position'
  | 'notes'
  | 'status'

/** Which columns hold what, the better ones first: an export may have three phone numbers. */
export type Columns = Partial<Record<Meaning, number[]>>

export type Layout = { delimiter: string; columns: Columns; headerLine: number }

const DELIMITERS = [',', ';', '\t', '|']
/** Some exports put notes or a separator above the column names. */
const HEADER_WITHIN_LINES = 10

// How spreadsheets, address books and other programs name the columns, in the languages our users write, as `plain`
// makes of them. Google numbers its own ("E-mail 1 - Value").
const NAMES: Record<Meaning, string> = {
  name: 'name|full name|contact name|contact|display name|file as|vollständiger name|anzeigename|kontakt|nom complet|nom et prénom|nombre completo|nome completo|volledige naam|naam|imię i nazwisko|nazwa|jméno|имя|фио|姓名|氏名|名前|이름',
  first_name:
    'first name|firstname|given name|forename|vorname|prénom|prenom|nombre|nome|voornaam|imię|primer nombre|etunimi|förnamn|fornavn',
  middle_name: 'middle name|additional name|zweiter vorname|deuxième prénom|segundo nombre|tussenvoegsel',
  last_name:
    'last name|lastname|family name|surname|nachname|familienname|nom|nom de famille|apellido|apellidos|cognome|sobrenome|apelido|achternaam|nazwisko|sukunimi|efternamn|etternavn',
  email:
    'email|e mail|email address|e mail address|email adresse|e mail adresse|mail|mail address|mailadresse|work email|business email|primary email|contact email|email 1|e mail 1|email 1 value|e mail 1 value|home email|personal email|email 2 value|e mail 2 value|e mail 2 address|e mail 3 address|adresse email|adresse e mail|adresse mail|courriel|adresse électronique|correo|correo electrónico|correo electronico|dirección de correo electrónico|dirección de correo|indirizzo email|indirizzo e mail|posta elettronica|endereço de email|endereço de e mail|emailadres|e mailadres|adres e mail|adres email|sähköposti|epost|e post|e postadress|e postadresse|электронная почта|почта|эл почта|メール|メールアドレス|电子邮件|邮箱|电子邮箱|이메일',
  company:
    'company|company name|organization|organisation|organization name|organization 1 name|account|account name|business|business name|employer|firma|firmenname|unternehmen|organisationsname|société|societe|entreprise|organisme|empresa|compañía|organización|azienda|società|ditta|organizzazione|organização|bedrijf|bedrijfsnaam|organisatie|yritys|företag|компания|организация|会社|会社名|公司|회사',
  phone:
    'phone|phone number|telephone|tel|mobile|mobile phone|cell|cell phone|business phone|work phone|primary phone|phone 1 value|home phone|other phone|phone 2 value|telefon|telefonnummer|telefon geschäftlich|mobil|mobiltelefon|handy|handynummer|téléphone|telephone|numéro de téléphone|portable|mobile phone number|teléfono|telefono|móvil|celular|cellulare|telefone|telemóvel|telefoon|telefoonnummer|mobiel|puhelin|телефон|電話|電話番号|电话|手机|전화',
  position:
    'position|job title|jobtitle|title|role|job|occupation|organization title|organization 1 title|stelle|funktion|berufsbezeichnung|jobtitel|rolle|poste|fonction|titre|intitulé du poste|cargo|puesto|título|ruolo|posizione|qualifica|função|functie|functietitel|stanowisko|tehtävä|befattning|stilling|должность|役職|职位|직책',
  notes:
    'notes|note|comment|comments|remarks|description|notizen|notiz|bemerkung|bemerkungen|kommentar|remarques|commentaire|commentaires|notas|nota|comentarios|commenti|observações|opmerkingen|notities|notatki|muistiinpanot|anteckningar|заметки|примечание|комментарий|備考|备注|메모',
  status: 'status|contact status|estado|stato|statut|état|статус',
}

const MEANINGS = new Map<string, { meaning: Meaning; rank: number }>(
  (Object.keys(NAMES) as Meaning[]).flatMap((meaning) =>
    NAMES[meaning].split('|').map((name, rank) => [plain(name), { meaning, rank }] as const),
  ),
)

/** A column's name without what differs from program to program: letter case, accents, dashes, blanks. */
function plain(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}]+/gu, ' ')
    .trim()
}

/**
 * How a file is laid out, told from its first lines: the delimiter with which a line of column names has an e-mail
 * column. Null when there is none.
 */
export function layoutOf(head: string): Layout | null {
  const declared = /^sep=(.)\n/i.exec(head)?.[1]
  const layouts = (declared === undefined ? DELIMITERS : [declared])
    .map((delimiter) => layoutWith(head, delimiter))
    .filter((layout) => layout !== null)
  return layouts.reduce<Layout | null>((best, next) => (width(next) > width(best) ? next : best), null)
}

const width = (layout: Layout | null) => Object.values(layout?.columns ?? {}).flat().length

function layoutWith(head: string, delimiter: string): Layout | null {
  const lines = head.split('\n', HEADER_WITHIN_LINES)
  for (const [index, line] of lines.entries()) {
    const columns = columnsOf(Papa.parse<string[]>(line, { delimiter }).data[0] ?? [])
    if (columns.email !== undefined) return { delimiter, columns, headerLine: index + 1 }
  }
  return null
}

/** What the columns of these names hold. */
export function columnsOf(names: readonly string[]): Columns {
  const found = names
    .map((name, column) => ({ column, known: MEANINGS.get(plain(name)) }))
    .flatMap(({ column, known }) => (known === undefined ? [] : [{ column, ...known }]))
    .sort((one, other) => one.rank - other.rank)
  const columns: Columns = {}
  for (const { meaning, column } of found) (columns[meaning] ??= []).push(column)
  // "Nom" and "Nombre" stand beside the other half of a name; alone they are the whole of it.
  if (columns.name === undefined && columns.first_name === undefined && columns.last_name !== undefined) {
    columns.name = columns.last_name
    delete columns.last_name
  }
  return columns
}
