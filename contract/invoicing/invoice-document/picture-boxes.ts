// Apart from the pages: the form needs these, and loads the pages only for the preview.

/** The largest that pictures are printed, in points. */
export const LOGO_BOX = { width: 170, height: 60 }
export const SIGNATURE_BOX = { width: 150, height: 46 }
