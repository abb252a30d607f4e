# SPDX-License-Identifier: BSD-2-Clause
# What is handed on: the static executable, the site, installed files, archives, a package.

# All commands in one static executable: main() of each gets a name of its own.
# OpenBLAS without threads, for kith's own share the work; the library that is
# found first, or that of the line.
STATIC_OPENBLAS = $(shell $(CC) -print-file-name=openblas-serial/libopenblas.a)
STATIC_LIBS = -lcsv -lz -llbfgs -lcholmod -lamd -lcolamd -lccolamd -lcamd \
       -lsuitesparseconfig -larpack -llapacke $(STATIC_OPENBLAS) \
       -lgfortran -lquadmath -lgomp $(LIBSTDCXX) -lm $(LDLIBS)
# The Fortran library refers weakly to these, and calls them if there is one.
STATIC_WHOLE = $(foreach f,once getspecific setspecific create join equal self \
	detach cancel key_create key_delete mutex_init mutex_lock mutex_trylock \
	mutex_timedlock mutex_unlock mutex_destroy cond_init cond_signal \
	cond_broadcast cond_wait cond_timedwait cond_destroy mutexattr_init \
	mutexattr_settype mutexattr_destroy rwlock_rdlock rwlock_tryrdlock \
	rwlock_wrlock rwlock_trywrlock rwlock_unlock,-Wl,-u,pthread_$f)
$B/static/kith: $(TOOLS:%=$B/static/%.o) $B/static/main.o \
	$B/scripts/static/metis.o $B/libkith.a
	$(call told,LINK)
	$Q$(LINK) -static $(STATIC_WHOLE) -o $@ $^ $(STATIC_LIBS)
# With objects, so that whoever gets it may link other versions of libraries.
STATIC = kith-$(VERSION)-static-$(firstword $(subst -, ,$(shell $(CC) -dumpmachine 2>/dev/null)))
$B/static/$(STATIC).tar.gz: $B/static/kith scripts/static/pack \
	scripts/static/README LICENSE
	$(call told,TAR )
	$Q$(if $(SOURCE_DATE_EPOCH),,SOURCE_DATE_EPOCH=`git log -1 --format=%ct \
	    2>/dev/null || echo 0`) OBJCOPY=$(OBJCOPY) scripts/static/pack \
	    $(STATIC) $B $(filter-out -ffile-prefix-map=%,$(LINK)) -static \
	    $(STATIC_WHOLE) -o kith - $(STATIC_LIBS)
$(TOOLS:%=$B/static/%.o): $B/static/%.o: $B/cmd/%.o $B/lib/cli/main.o
	@mkdir -p $(@D)
	$(call told,MAIN)
	$Q$(LD) -r -o $@ $(if $(shell $(NM) $< | grep ' T main$$'),$<,$^) && $(OBJCOPY) \
	    --redefine-sym main=$*_main -L kith_tool -L kith_work $@
$B/static/main.o: scripts/static/kith.c $B/made-with
	@mkdir -p $(@D)
	$(call told,CC  )
	$Q$(CC) $(ALL_CFLAGS) $(CPPFLAGS) \
	    -DKITH_COMMANDS='$(foreach t,$(TOOLS),KITH_COMMAND($t))' -c -o $@ $<
html:
	@command -v mandoc >/dev/null && command -v cmark-gfm >/dev/null || $(DEPS) html
	@scripts/html $B/html
static:
	@$(DEPS) build static
	$(AGAIN) -j$(JOBS) $B/static/$(STATIC).tar.gz

bin = $(DESTDIR)$(PREFIX)/bin
man = $(DESTDIR)$(PREFIX)/share/man
share = $(DESTDIR)$(PREFIX)/share/$Pkith
bash = $(DESTDIR)$(PREFIX)/share/bash-completion/completions
zsh = $(DESTDIR)$(PREFIX)/share/zsh/site-functions
P = $(PROGRAM_PREFIX)

# Nothing that was built is run, for it may be for another machine.
install: all
	install -d $(bin) $(man)/man1 $(man)/man5 $(man)/man7 $(bash) $(zsh)
	set -e; for t in $(TOOLS); do install $B/$$t $(bin)/$P$$t; done
	set -e; for t in $(TOOLS) $(SCRIPTS); do \
	    scripts/completion bash $P$$t >$(bash)/$P$$t; \
	    scripts/completion zsh $P$$t >$(zsh)/_$P$$t; done
	install -d $(share)/plot
	set -e; for t in $(SCRIPTS); do \
	    sed "s/^version=''/version=$(VERSION)/" scripts/$$t >$(bin)/$P$$t; \
	    chmod 755 $(bin)/$P$$t; done
	install -m 644 $(PLOT_PARTS) $(share)/plot
	install scripts/kith $(bin)/$Pkith
	{ echo '# version $(VERSION)'; scripts/abouts $(filter %.1,$(MAN)); } \
	    >$(share)/commands
	chmod 644 $(share)/commands
	set -e; for m in $(notdir $(MAN)); do case $$m in \
	    *.1) n=man1/$P$$m ;; *) n=man$${m##*.}/$$m ;; esac; \
	    $(if $P,scripts/prefix $P $(TOOLS) $(SCRIPTS) kith <man/$$m >$(man)/$$n, \
	        install man/$$m $(man)/$$n); \
	    chmod 644 $(man)/$$n; done
uninstall:
	for t in $(TOOLS) $(SCRIPTS); do \
	    rm -f $(bin)/$P$$t $(bash)/$P$$t $(zsh)/_$P$$t; done
	rm -rf $(share)/plot
	rm -f $(share)/commands $(bin)/$Pkith
	rmdir $(share) 2>/dev/null || :
	for m in $(notdir $(MAN)); do case $$m in \
	    *.1) rm -f $(man)/man1/$P$$m ;; \
	    *) rm -f $(man)/man$${m##*.}/$$m ;; esac; done

# What git holds of the last commit, with its time: the same bytes anywhere.
DIST = kith-$(VERSION)
dist:
	@git diff --quiet HEAD || echo 'dist: what is not committed stays out' >&2
	$(call told,TAR )
	$Qgit -c tar.umask=0022 archive --format=tar --prefix=$(DIST)/ HEAD \
	    >$(DIST).tar
	$Qgzip -9nf $(DIST).tar
# As the archive is, apart from what make was called with.
deb: dist
	@$(DEPS) build check plot deb
	rm -rf $B/deb && mkdir -p $B/deb
	cp $(DIST).tar.gz $B/deb/kith_$(VERSION).orig.tar.gz
	tar -xzf $(DIST).tar.gz -C $B/deb
	cp -R $B/deb/$(DIST)/scripts/debian $B/deb/$(DIST)/debian
	cd $B/deb/$(DIST) && env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL \
	    -u KITH_CHARCONV dpkg-buildpackage -us -uc
	cd $B/deb && lintian -EI --pedantic --fail-on error,warning \
	    kith_$(VERSION)-*.changes
