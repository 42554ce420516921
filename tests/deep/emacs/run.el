;;; run.el --- Eglot against the real server  -*- lexical-binding: t -*-

;; emacs -Q --batch -l run.el README FOLDER EXAMPLES
;; The Lisp of README is what a user is told to write; FOLDER is for files, EXAMPLES
;; has those of the project.

(require 'cl-lib)
(require 'eglot)
(require 'flymake)

(defvar deep-readme (pop command-line-args-left))
(defvar deep-folder (pop command-line-args-left))
(defvar deep-examples (pop command-line-args-left))

(defun deep-wait (what condition)
  "Wait until CONDITION returns something, and return it; fail with WHAT."
  (let ((end (+ (float-time) 60)) found)
    (while (and (not (setq found (funcall condition))) (< (float-time) end))
      ;; An idle Emacs would tell of changes by itself.
      (when (eglot-managed-p) (eglot--signal-textDocument/didChange))
      (accept-process-output nil 0.02))
    (unless found (error "never came: %s" what))
    (message "ok: %s" what)
    found))

(defun deep-check (what holds)
  (unless holds (error "wrong: %s" what))
  (message "ok: %s" what))

(defun deep-set-up ()
  "Evaluate the blocks of Lisp in the README, as a user would."
  (let (blocks)
    (with-temp-buffer
      (insert-file-contents deep-readme)
      (while (re-search-forward "^```elisp$" nil t)
        (let ((begin (point)))
          (re-search-forward "^```$")
          (push (buffer-substring begin (match-beginning 0)) blocks))))
    (deep-check "the README has Lisp" (= (length blocks) 3))
    (dolist (block (nreverse blocks))
      (eval (read (concat "(progn " block ")")) t)))
  (require 'dape))

(defun deep-line ()
  "The line on which a run that dape debugs has stopped."
  (when-let* ((connection (dape--live-connection 'stopped t))
              (frame (dape--current-stack-frame connection)))
    (plist-get frame :line)))

(defun deep-stops (line)
  (deep-wait (format "the run stops in line %d" line) (lambda () (equal (deep-line) line))))

(defun deep-debug ()
  "Debug an example with dape, as the README sets it up."
  (dolist (name '("zero_normal.tgsi" "zero_normal.inputs.toml"))
    (copy-file (expand-file-name name deep-examples) (expand-file-name name deep-folder) t))
  (find-file (expand-file-name "zero_normal.tgsi" deep-folder))
  (dape (dape--config-eval 'tungsten nil))
  (deep-stops 11)
  (dape-next (dape--live-connection 'stopped))
  (deep-stops 12)
  (goto-char (point-min))
  (forward-line 14)
  (dape-breakpoint-expression "lane == 3 && isnan(TEMP[1].x)")
  (deep-wait "the breakpoint is known"
             (lambda () (cl-some (lambda (it) (dape--breakpoint-verified it)) dape--breakpoints)))
  (dape-continue (dape--live-connection 'stopped))
  (deep-stops 15)
  (dape-quit (dape--live-connection 'parent t))
  (deep-wait "the adapter ends"
             (lambda ()
               (cl-notany (lambda (it)
                            (and (process-live-p it) (string-match-p "dape adapter" (process-name it))))
                          (process-list)))))

(defun deep-open (name text)
  "Visit a new file, and connect as the mode's hook does."
  (let ((file (expand-file-name name deep-folder)))
    (write-region text nil file nil 'quiet)
    (find-file file)
    ;; A command loop would do this.
    (run-hooks 'post-command-hook)
    (deep-wait (format "%s is managed" name) #'eglot-managed-p)))

(defun deep-request (method)
  (eglot--request (eglot--current-server-or-lose) method (eglot--TextDocumentPositionParams)))

(defun deep-run ()
  (setq eglot-sync-connect 60 eglot-autoshutdown nil)
  (deep-set-up)
  (deep-open "a.tgsi" "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0]\n  0: MOVV TEMP[0], IN[0]\n  1: MOV OUT[0], TEMP[0]\n  2: END\n")
  (deep-check "the mode is TGSI's" (eq major-mode 'tgsi-mode))
  (flymake-mode 1)
  (deep-wait "the wrong opcode is found"
             (lambda ()
               (flymake-start)
               (cl-some (lambda (it) (string-match-p "MOVV" (flymake-diagnostic-text it)))
                        (flymake-diagnostics))))
  (goto-char (point-min))
  (search-forward "MOVV")
  (backward-char 2)
  (let* ((actions (eglot-code-actions (point) (point) "quickfix"))
         (fix (cl-find-if (lambda (it) (string-match-p "`MOV`" (plist-get it :title)))
                           (append actions nil))))
    (deep-check "there is a fix" fix)
    (eglot-execute (eglot--current-server-or-lose) fix))
  (deep-check "the fix was made" (save-excursion (goto-char (point-min)) (search-forward "0: MOV TEMP" nil t)))
  (deep-wait "nothing wrong is left"
             (lambda ()
               (flymake-start)
               (not (cl-some (lambda (it) (string-match-p "MOVV" (flymake-diagnostic-text it)))
                             (flymake-diagnostics)))))
  (let ((hover (deep-request :textDocument/hover)))
    (deep-check "the opcode is explained"
                (string-match-p "MOV" (plist-get (plist-get hover :contents) :value))))
  (goto-char (point-min))
  (search-forward "DCL TEMP[0")
  (eglot-rename "TEMP[5]")
  (deep-check "the register is renumbered" (save-excursion (goto-char (point-min)) (search-forward "MOV OUT[0], TEMP[5]" nil t)))
  (goto-char (point-max))
  (search-backward "MOV")
  (forward-char 1)
  (let ((table (nth 2 (eglot-completion-at-point))))
    (deep-check "opcodes are offered" (member "MOV" (all-completions "MO" table))))
  (eglot-format-buffer)
  (deep-check "the buffer is laid out" (save-excursion (goto-char (point-min)) (search-forward "  0: MOV TEMP[5], IN[0]" nil t)))
  (deep-open "a.gcn" "again:\n  v_mov_b32 v0, v1\n  s_branch again\n  s_endpgm\n")
  (deep-check "the mode is GCN's" (eq major-mode 'gcn-mode))
  (goto-char (point-min))
  (search-forward "s_branch ag")
  (let ((places (xref-backend-definitions 'eglot (xref-backend-identifier-at-point 'eglot))))
    (deep-check "the label is found"
                (= 1 (xref-location-line (xref-item-location (car places))))))
  (dolist (buffer (buffer-list))
    (with-current-buffer buffer (set-buffer-modified-p nil)))
  (eglot-shutdown (eglot-current-server) nil 30)
  (deep-debug)
  (message "emacs: all passed"))

(condition-case failure
    (deep-run)
  (error (message "emacs: %s" (error-message-string failure)) (kill-emacs 1)))
;;; run.el ends here
