import type { Phrases } from './phrases.ts'

const SEASON =
  '(?:wiosną|na wiosnę|latem|jesienią|zimą|w (?:styczniu|lutym|marcu|kwietniu|maju|czerwcu|lipcu|sierpniu|wrześniu|październiku|listopadzie|grudniu|przyszłym (?:roku|kwartale|miesiącu))|za (?:kilka|parę|dwa|trzy|sześć|\\p{N}+) miesi\\p{L}+|po (?:wakacjach|lecie)|później)'

export const polish: Phrases = {
  absent: ['(?:jestem|będę) (?:\\p{L}+ )?(?:poza biurem|nieobecn[ya]|na urlopie)|przebywam na urlopie'],
  unsubscribe: [
    '(?:proszę )?(?:o )?(?:wypisanie|wypisać|usunięcie|usunąć|wykreślenie|wykreślić|wypiszcie|usuńcie|wypisz|usuń) (?:mnie|nas|mojego|moich|mój|z)|rezygnuję z (?:subskrypcji|newslettera)',
    '(?:proszę )?(?:nie|przestańcie|przestać) (?:do (?:mnie|nas) )?(?:pisać|pisz\\p{L}*|wysyłać|wysyłajcie|przysyłać|kontaktować)(?: \\p{L}+){0,3}|nie chcę (?:otrzymywać|więcej|dostawać)',
  ],
  no: [
    'nie (?:jestem|jesteśmy|będę|będziemy|są)(?: \\p{L}+){0,2} zainteresowan\\p{L}+|nie interesuje (?:mnie|nas)|(?:to |mnie to |nas to )?(?:mnie |nas )?nie interesuje|niezainteresowan\\p{L}+|(?:brak|bez|żadnego) (?:zainteresowania|potrzeby|budżetu)|nie(?:,)? dziękuję|dziękuję,? nie',
    'nie (?:teraz|w tej chwili|obecnie|potrzebuj\\p{L}+|szukamy|w tym roku|dla nas|planujemy)|(?:teraz|obecnie|na razie|w tej chwili|w tym momencie) nie|mamy już|współpracujemy już|korzystamy już',
    `(?:proszę )?(?:zapytać|odezwać|wrócić|napisać|zadzwonić|pytać|odezwijcie|wróćmy|wrócimy|spróbować|skontaktować)(?: \\p{L}+){0,4} ${SEASON}`,
  ],
  meeting: [
    '(?:możemy|moglibyśmy|czy moglibyśmy|mogę|chciał\\p{L}+|chcielibyśmy|proponuję)(?: \\p{L}+){0,4} (?:spotkać|spotkanie|porozmawiać|rozmowę|umówić|zadzwonić|zdzwonić|rozmawiać)',
    'spotkajmy się|porozmawiajmy|zdzwońmy się|umówmy się|umówić (?:się|spotkanie|rozmowę)|proszę (?:o telefon|zadzwonić|do mnie zadzwonić)|proszę o spotkanie|kiedy (?:możemy|ma|mają|pasuje|pani|pan|można)|zadzwoń(?:cie)?',
  ],
  yes: [
    '(?:jestem|jesteśmy|byłbym|byłabym|bylibyśmy) (?:bardzo |wstępnie )?zainteresowan\\p{L}+|(?:interesuje|zainteresowało) (?:mnie|nas)|(?:mnie|nas) (?:to )?interesuje|brzmi (?:dobrze|ciekawie|interesująco|świetnie)',
    '(?:proszę )?(?:o )?(?:przesłanie|przesłać|wysłanie|wysłać|więcej (?:informacji|szczegółów)|ofertę|cennik)|chętnie|tak,? (?:proszę|poproszę)|poproszę o',
  ],
  question: [
    '(?:mam |mamy )?pytanie|zastanawiam się|(?:czy )?(?:może|mógłby|mogłaby) (?:pan|pani) powiedzieć|chciał\\p{L}+ wiedzieć',
  ],
  handOver: [
    '(?:mój|moja|nasz|nasza) (?:kolega|koleżanka|szef|szefowa|wspólnik|dział|kierownik)(?!\\p{L})[^.!?\\n]{0,60}(?:zajmuje|odpowiada|odpowiedzialn|prowadzi|decyduje|odpisze)',
    '(?:zajmuje się|odpowiada za)(?: \\p{L}+){0,3} (?:mój|moja|nasz|nasza|kolega|koleżanka)|(?:przekazałe?[mś]|przekazałam|przesłałe?m dalej|przesłałam dalej|przekazaliśmy)|proszę (?:pisać|zwrócić się|skontaktować się)(?: \\p{L}+){0,2} (?:do|z) (?:mojego|mojej|moim|moją|naszego|naszej|naszym|naszą)',
  ],
  notMe: ['nie jestem (?:właściwą|odpowiednią) osobą|niewłaściwa osoba|zły adres|to nie do mnie'],
}
