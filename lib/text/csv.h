/*
 * text/csv - records of text cells: CSV, TSV and the like (text/rec.h opens
 * them).
 *
 * Cells may be quoted as in RFC 4180; a quote counts at the start of a cell
 * only and is an ordinary byte elsewhere.  Dropped are a UTF-8 byte order mark,
 * the carriage return of a CRLF line end, blanks around an unquoted cell and
 * behind a quoted one (space, and tab where it does not divide cells), and
 * lines that start "# " before the first record.  Blank lines at the very end
 * are passed over.
 *
 * Fails on a null byte, on wrong quotes and on a blank line that is followed by
 * other lines.  Memory: the longest record, twice where it has quotes, its
 * cells, and a fixed buffer.
 */
#ifndef KITH_TEXT_CSV_H
#define KITH_TEXT_CSV_H

struct kith_rec;

/* Begin to read a text in memory, which is copied. */
void kith_csv_text(struct kith_rec *r, const char *text);

#endif
