/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * text/readers - all formats of input.  A new one is a file with a
 * struct kith_reader (text/reader.h) called kith_reader_NAME, and a name here:
 * --format, its --help, and the first bytes of files follow.
 */
#ifndef KITH_TEXT_READERS_H
#define KITH_TEXT_READERS_H

#define KITH_READERS(ROW) ROW(csv) ROW(npy) ROW(mtx) ROW(svmlight)

/* The first is for what no other knows by its first bytes. */
enum kith_form {
	KITH_FORM_auto, /* the first bytes say it */
#define KITH_READER_FORM(name) KITH_FORM_##name,
	KITH_READERS(KITH_READER_FORM)
#undef KITH_READER_FORM
};

/* As KITH_CHOICE (cli/opt.h) wants them: "auto|csv|..." */
#define KITH_READER_WORD(name) "|" #name
#define KITH_READER_WORDS "auto" KITH_READERS(KITH_READER_WORD)

#endif
