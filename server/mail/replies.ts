import EmailReplyParser from 'email-reply-parser'
import { hasWords } from './words.ts'

/** A reply longer than this is not read to its end for its new words. */
const MAX_TEXT_CHARS = 200_000
/** An attribution ("On … wrote:") may be wrapped over so many lines. */
const MAX_ATTRIBUTION_LINES = 4
const MAX_ATTRIBUTION_CHARS = 400
/** email-reply-parser's expressions are polynomial: only short texts of short lines go through it. */
const MAX_PARSER_CHARS = 8_000
const MAX_PARSER_LINE_CHARS = 300
const PARSER_SLOW_WORDS = /schreef|skrev|pisze|napisał|写道/

const ATTRIBUTION_START =
  /^(?:on|am|le|el|il|em|no dia|op|den|dne|dnia|w dniu|pe|ma|ti|ke|to|la|su|on|vào|pada|ср|пн|вт|чт|пт|сб|вс|в|в\s|στις|tarihinde|在|於|于)\s|^\d{1,4}\s?[./年-]\s?\d{1,2}\s?[./月-]|^\d{1,2}\.?\s\p{L}{3,}|^[^<>\n]{0,80}<[^<>\s]+@[^<>\s]+>|^(?:mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so)[a-z]*[.,]\s/iu
const ATTRIBUTION_END =
  /(?:\bwrote|\bwrites|\bschrieb(?:en)?|\bgeschrieben|\ba écrit|\bécrit|\bescribió|\bha scritto|\bscrisse|\bescreveu|\bschreef|\bskrev|\bnapisał(?:\(a\)|a)?|\bpisze|\bnapsal(?:\(a\)|a)?|\bnapísal|\bkirjoitti|\bписал(?:\(а\)|а)?|\bнаписал(?:\(а\)|а)?|\bпишет|\bшнаписа|\bírta|\ba scris|\byazdı|\bέγραψε|\bđã viết|\bmenulis|写道|寫道|のメッセージ|작성)\s*[^\n]{0,120}?[:：]\s*$/iu

/** "вт, 3 мар. 2026 г. в 10:00, Anna <anna@…>:": a date and an address say it without a verb. */
const ATTRIBUTION_BY_ADDRESS = /\b\d{4}\b.{0,200}<[^<>\s]{1,200}@[^<>\s]{1,200}>\s*[:：]\s*$/u

/** Lines after which nothing is new, whoever wrote the program. */
const SEPARATOR =
  /^[\s>*_-]*[-_=]{2,}\s*(?:original message|original appointment|forwarded message|forwarded by .*|ursprüngliche nachricht|original-?nachricht|weitergeleitete nachricht|message d['’]origine|message original|message transféré|mensaje original|mensaje reenviado|messaggio originale|messaggio inoltrato|oorspronkelijk bericht|doorgestuurd bericht|mensagem original|mensagem encaminhada|oprindelig meddelelse|opprinnelig melding|ursprungligt meddelande|alkuperäinen viesti|oryginalna wiadomość|původní zpráva|исходное сообщение|пересылаемое сообщение|原始邮件|原始郵件|转发邮件|元のメッセージ|reply above this line|antworten sie oberhalb dieser zeile)\s*[-_=]*\s*$/iu
const FORWARD_LINE =
  /^(?:begin forwarded message|anfang der weitergeleiteten (?:nachricht|e-?mail)|début du message (?:réexpédié|transféré)|inicio del mensaje reenviado|inizio messaggio inoltrato|begin doorgestuurd bericht)\s*:\s*$/iu
/** Outlook, Yahoo, Apple: a block of header lines of the original. */
const HEADER_FROM =
  /^[\s*_|]*(?:from|von|de|da|van|från|fra|lähettäjä|od|от|kimden|feladó|από|差出人|发件人|寄件者|보낸 사람)[\s*_]*[:：]\s*\S/iu
const HEADER_REST =
  /^[\s*_|]*(?:sent|date|gesendet|datum|envoyé|envoyé le|enviado|enviado el|fecha|data|inviato|verzonden|skickat|sendt|dato|lähetetty|wysłano|odesláno|отправлено|дата|gönderildi|elküldve|送信日時|日時|发送时间|日期|to|an|à|para|per|a|aan|till|til|do|komu|кому|kime|címzett|宛先|收件人|cc|kopie|subject|betreff|objet|asunto|oggetto|onderwerp|assunto|ämne|emne|aihe|temat|předmět|тема|konu|tárgy|件名|主题|主旨)[\s*_]*[:：]/iu

const SIGNATURE_DELIMITER = /^--\s?$|^—\s?$|^_{2,4}$/
const DEVICE_LINE =
  /^(?:sent (?:from|via|with) (?:my|the|mail|outlook|yahoo|gmail|proton|samsung|iphone|ipad|blackberry|a)\b|get outlook for|von meine[mr] .{1,40} gesendet|gesendet (?:von|mit|aus|über)\b|diese nachricht wurde von meinem|envoyé (?:de|depuis|à partir)\b|télécharger outlook|enviado (?:desde|do|a partir)\b|obtener outlook|inviato da\b|scarica outlook|verzonden (?:vanaf|met)\b|verstuurd vanaf\b|skickat från\b|sendt fra\b|lähetetty\b|wysłan[eo] z\b|отправлено (?:с|из)\b|发自我的|iphoneから送信)/iu
const MAX_DEVICE_LINE_CHARS = 120

/**
 * What the sender wrote himself: quotes, the original below, signatures and "Sent from my …" off.
 * Never empty when the text has words: then the whole text comes back.
 */
export function newWords(text: string): string {
  const source = text.length > MAX_TEXT_CHARS ? text.slice(0, MAX_TEXT_CHARS) : text
  const own = withoutQuoted(source)
  const finished = withoutSignature(own)
  return [finished, own, unquotedLines(source), source].find(hasWords)?.trim() ?? ''
}

/**
 * Quotes and the original below off, by one linear pass over the lines; may leave nothing.
 *
 * @param enough nobody reads on when so many characters are kept
 */
export function withoutQuoted(text: string, enough = Infinity): string {
  const lines = text.replace(/\r\n?/g, '\n').replaceAll('\u00a0', ' ').split('\n')
  const kept: string[] = []
  let written = 0
  for (let at = 0; at < lines.length && written < enough; at += 1) {
    const line = lines[at] ?? ''
    if (isQuoted(line)) continue
    if (startsOriginal(lines, at)) break
    const attribution = attributionLength(lines, at)
    if (attribution > 0) {
      // An unmarked original follows: everything below is old. Marked quotes are dropped line by line,
      // so that answers between them stay.
      if (!isQuoted(nextFilled(lines, at + attribution))) break
      at += attribution - 1
      continue
    }
    if (SIGNATURE_DELIMITER.test(line) && kept.some(hasWords)) {
      // A quote may follow the signature, and words after it.
      while (
        at + 1 < lines.length &&
        !isQuoted(lines[at + 1] ?? '') &&
        attributionLength(lines, at + 1) === 0
      )
        at += 1
      continue
    }
    if (line.length <= MAX_DEVICE_LINE_CHARS && DEVICE_LINE.test(line.trim())) continue
    kept.push(line)
    written += line.trim().length
  }
  return kept
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/\n[_*=-]{10,}\s*$/, '')
    .trim()
}

const isQuoted = (line: string): boolean => /^\s{0,3}[>|｜]/.test(line) && !/^\s*\|.*\|\s*$/.test(line)

function unquotedLines(text: string): string {
  return text
    .split('\n')
    .filter((line) => !isQuoted(line))
    .join('\n')
    .trim()
}

function nextFilled(lines: string[], from: number): string {
  for (let at = from; at < Math.min(lines.length, from + 5); at += 1) {
    if (lines[at]?.trim()) return lines[at] ?? ''
  }
  return ''
}

function startsOriginal(lines: string[], at: number): boolean {
  const line = lines[at] ?? ''
  if (line.length > 200) return false
  if (SEPARATOR.test(line) || FORWARD_LINE.test(line.trim())) return true
  if (!HEADER_FROM.test(line)) return false
  const following = lines.slice(at + 1, at + 9).filter((next) => next.trim() !== '')
  return following.slice(0, 5).filter((next) => HEADER_REST.test(next)).length >= 2
}

const COLON = /[:：]$/u

/** Whether one of the next lines could be the last of an attribution: hardly any line of a mail is. */
function endsWithColon(lines: string[], at: number): boolean {
  for (let next = at; next < at + MAX_ATTRIBUTION_LINES; next += 1) {
    const line = lines[next]?.trimEnd() ?? ''
    if (line.endsWith(':') || line.endsWith('：')) return true
  }
  return false
}

/** Over how many lines an attribution runs that starts here; 0 for none. */
function attributionLength(lines: string[], at: number): number {
  const first = (lines[at] ?? '').trim()
  if (first.length > MAX_ATTRIBUTION_CHARS || !endsWithColon(lines, at) || !ATTRIBUTION_START.test(first))
    return 0
  let joined = ''
  for (let length = 1; length <= MAX_ATTRIBUTION_LINES; length += 1) {
    const line = (lines[at + length - 1] ?? '').trim()
    if (line === '' || isQuoted(line)) return 0
    joined = joined === '' ? line : `${joined} ${line}`
    if (joined.length > MAX_ATTRIBUTION_CHARS) return 0
    if (!COLON.test(line)) continue
    if (ATTRIBUTION_BY_ADDRESS.test(joined)) return length
    if (ATTRIBUTION_END.test(joined) && /\d|@/.test(joined)) return length
  }
  return 0
}

/** Closing formulas and what stands below them off, by email-reply-parser where its cost is bounded. */
function withoutSignature(text: string): string {
  if (text.length > MAX_PARSER_CHARS || PARSER_SLOW_WORDS.test(text)) return text
  if (text.split('\n').some((line) => line.length > MAX_PARSER_LINE_CHARS)) return text
  return new EmailReplyParser().parseReply(text).trim()
}
