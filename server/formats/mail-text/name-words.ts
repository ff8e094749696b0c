/** Titles before a name ("Herr Müller"), in our contacts' languages; without dots, in lower case. */
export const TITLES = new Set(
  'mr mrs ms miss mx sir madam dr prof professor doctor rev herr herrn hr frau fr fräulein dipl-ing ing mag dipl med phil jur m mme mlle monsieur madame mademoiselle maître me sr sra srta señor señora señorita d dña doña dn sig sigra signor signora signore dott dottssa dottoressa avv geom arch rag senhor senhora dra drª eng dhr mevr mw heer mevrouw meneer drs ir herra rouva pan pani pán paní slečna mgr inż inz bc judr mudr phdr úr dl dna domnul doamna г-н г-жа господин госпожа пан пані κ κος κα κύριος κυρία bay bayan sn ông bà anh chị'.split(
    ' ',
  ),
)

/** Degrees after a name and a comma: "Anna Schmidt, MBA". */
export const DEGREES = new Set(
  'phd ph.d. md mba msc bsc ma ba ll.m. llm cpa cfa pmp esq esq. jr jr. sr sr. ii iii iv dr dr. med. m.sc. b.sc. m.a. b.a. mag. ceo cto cfo coo cmo'.split(
    ' ',
  ),
)

/** No first name begins with one of these; family names do. */
export const PARTICLES = new Set(
  'the der die das den dem les los las el la le lo il gli de di da do dos das du del della van von vom zu zum zur ten ter al bin ibn st san santa saint af av och und and et y e for für bei chez'.split(
    ' ',
  ),
)

/** Legal forms of companies in the countries of our languages, without dots, in their usual spelling. */
export const COMPANY_FORMS = new Set(
  'GmbH gmbh mbH AG KG KGaA OHG UG GbR eK eV eG eU Ltd LTD ltd Limited LLC LLP LP PLC plc Inc INC inc Corp Corporation Co PBC Pty SARL Sarl SàRL Sàrl SAS SASU EURL SNC SCI SCOP SA SL SLU SLL SC SCP Srl SRL srl SRLS Srls SpA spa SPA Snc snc Sas Lda Ltda LDA LTDA EIRELI ME BV NV VOF CV AB HB KB AS ASA ANS ENK ApS IS PS AmbA Oy OY Oyj Ky Tmi spzoo zoo oo spj spk sro spol Kft kft Zrt Nyrt Bt PFA doo dd OOO ООО ОАО ЗАО ПАО АО ИП ТОВ ФОП ЕООД ООД АД AŞ AS Şti ŞTİ ΑΕ ΕΠΕ ΙΚΕ ΟΕ A/S K/S I/S c/o'.split(
    ' ',
  ),
)
/** Those that are also words or names: they count only at the end. */
export const LATE_FORMS = new Set('Co ME AS SA AB IS PS CV LP SC Sas Srl spa dd zoo Limited'.split(' '))

/** Rooms and roles, not people. */
export const ROLES = new Set(
  'info infos office admin administrator administration sales support contact contacts kontakt contacto contatto contato hello hallo hi bonjour hola ciao mail email e-mail post postmaster webmaster hostmaster noreply no-reply donotreply newsletter news marketing press presse prensa stampa media billing accounts accounting accountant invoice invoices rechnung rechnungen buchhaltung finance hr jobs careers karriere bewerbung bewerbungen personal recruiting team staff service services kundenservice kundendienst customer customers client clients helpdesk help desk it security legal privacy datenschutz impressum verwaltung sekretariat empfang reception rezeption zentrale vertrieb verkauf einkauf bestellung bestellungen order orders shop store webshop booking bookings reservation reservations reservierung buchung anfrage anfragen enquiries inquiries general management geschäftsführung direction directeur secrétariat accueil comptabilité ventes commercial commerciale achats ventas compras administración recepción equipo vendite ufficio amministrazione segreteria acquisti vendas atendimento administração equipa equipe verkoop inkoop administratie boekhouding receptie försäljning ekonomi kundtjänst salg økonomi kundeservice kundeservise myynti asiakaspalvelu sprzedaż biuro księgowość sekretariat handlowy obchod prodej účetní értékesítés ügyfélszolgálat iroda vânzări contabilitate отдел продажи бухгалтерия секретариат поддержка test user guest gast owner inhaber manager purchasing procurement operations everyone all undisclosed recipients unknown unbekannt nn n/a none null undefined'.split(
    ' ',
  ),
)

/** Words in names of companies, shops and places, in our contacts' languages. */
export const BUSINESSES = new Set(
  'bakery bakers café cafe coffee bar pub grill kitchen bistro brasserie restaurant ristorante restaurante trattoria pizzeria hotel hostel inn lodge guesthouse pension clinic hospital surgery dental dentist pharmacy apotheke pharmacie farmacia school college university universität université universidad università institute institut instituto istituto academy akademie académie company group gruppe groupe grupo gruppo holding holdings partners partner associates brothers bros sons consulting consultants solutions systems technologies technology tech labs lab studio studios agency agentur agence agencia agenzia media design designs bank insurance versicherung versicherungen assurance assurances seguros foundation stiftung fondation fundación fondazione verein verband association asociación associazione club society gesellschaft société sociedad società church kirche council city gemeinde stadt ministry department abteilung international global worldwide europe deutschland germany france italia italy españa spain polska poland nederland netherlands belgium österreich austria schweiz suisse switzerland uk usa europa bäckerei konditorei metzgerei fleischerei tischlerei schreinerei werkstatt autohaus gärtnerei praxis kanzlei steuerberater rechtsanwälte rechtsanwalt verlag handel bau druckerei elektro sanitär immobilien haus boulangerie pâtisserie boucherie garage cabinet atelier boutique librairie entreprise établissements ets panadería taller tienda empresa comercial hermanos clínica panificio bottega officina azienda ditta negozio fratelli padaria loja oficina irmãos bakkerij winkel slagerij garagebedrijf bedrijf bageri butik verkstad företag värdshus værksted forretning firma leipomo kauppa yritys piekarnia sklep zakład warsztat przedsiębiorstwo pekárna obchod dílna pékség bolt műhely brutărie magazin kft пекарня магазин мастерская компания завод фирма works werke workshop factory industries industrie industrial logistics transport travel tours reisen events event catering fitness gym salon beauty spa hair friseur yoga music records films photography foto fotografie garden gardens farm farms wines winery weingut brewery brauerei distillery market markt supermarket trading traders import export supplies supply tools parts auto motors cars bikes cycles software digital online web network networks energy solar power electric construction builders building properties property estate estates homes house furniture fashion jewellery jewelry books press publishing gazette times daily radio tv'.split(
    ' ',
  ),
)

/** Words for a family or a couple ("Familie Müller", "The Miller Family"): nobody's first name. */
export const HOUSEHOLDS = new Set(
  'familie fam family families famille familles familia família famiglia familjen familien perhe rodzina rodzinka család családja семья сім’я семейство οικογένεια ailesi eheleute ehepaar geschwister haushalt household époux coniugi sposi matrimonio echtpaar gezin ægteparret ekteparet aviopari manželé házaspár'.split(
    ' ',
  ),
)
/** Those that are also family names ("Anna Rodina"): they count only at the beginning. */
export const EARLY_HOUSEHOLDS = new Set('rodina родина państwo'.split(' '))

/** What stands between two people: "Anna und Peter Weber". */
export const ANDS = new Set('and und et y e och og en i и і та ja a és și şi ve oraz και'.split(' '))
