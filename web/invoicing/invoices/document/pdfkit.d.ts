// PDFKit for browsers, in one file, with what it needs of Node.
declare module 'pdfkit/js/pdfkit.standalone.js' {
  import type PDFDocument from 'pdfkit'
  const document: typeof PDFDocument
  export default document
}
